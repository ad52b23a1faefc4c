// Two identity providers for the tests of the MCP server: the one that it
// trusts, and another one. Both listen on free ports of this machine, know the
// same clients, and issue access tokens in the form of RFC 9068 for whatever
// resource is asked for. Their addresses are printed as one line of JSON; the
// process ends when its standard input does.
import { createServer } from "node:http";
import Provider from "oidc-provider";

const scopes = ["pilots:read", "findings:read", "dependencies:check"];

async function start() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "machine", client_secret: "only-in-this-test", grant_types: ["client_credentials"], redirect_uris: [], response_types: [] },
      {
        client_id: "editor",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        redirect_uris: ["http://127.0.0.1:1/callback"],
        response_types: ["code"],
        application_type: "native",
      },
    ],
    scopes: ["openid", ...scopes],
    pkce: { required: () => true },
    features: {
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => undefined,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => ({
          scope: scopes.join(" "),
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 600, Session: 600, Interaction: 600, IdToken: 600 },
  });
  server.on("request", provider.callback());
  return issuer;
}

console.warn = () => {}; // it warns of what only tests do
process.stdout.write(JSON.stringify({ issuer: await start(), other: await start() }) + "\n");
process.stdin.resume().on("end", () => process.exit(0));
