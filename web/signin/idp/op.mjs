// A real identity provider for the tests of signing in. It listens on a free
// port of this machine, sends people back to the address that it is started
// with, and takes any name as an account. Its groups follow from the name. Its
// address is printed as one line of JSON; the process ends when its standard
// input does.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const groups = { ada: ["leads", "engineering"], ben: ["engineering"], eve: ["sales"] };

const server = createServer();
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "steelyard",
      client_secret: "only-in-this-test-and-long-enough",
      grant_types: ["authorization_code"],
      redirect_uris: [process.argv[2]],
      response_types: ["code"],
      application_type: "native",
    },
  ],
  claims: { openid: ["sub"], profile: ["name"], email: ["email"], groups: ["groups"] },
  scopes: ["openid", "profile", "email", "groups"],
  pkce: { required: () => true },
  findAccount: (_, id) => ({
    accountId: id,
    claims: async () => ({ sub: id, name: `Person ${id}`, groups: groups[id] ?? [] }),
  }),
  ttl: { AccessToken: 600, Grant: 600, Session: 600, Interaction: 600, IdToken: 600 },
});
server.on("request", provider.callback());

console.warn = () => {}; // it warns of what only tests do
process.stdout.write(JSON.stringify({ issuer }) + "\n");
process.stdin.resume().on("end", () => process.exit(0));
