// A foreign MCP client for the tests of package mcp.
//
//   node client.mjs SDK stdio COMMAND [ARGUMENT...]
//   node client.mjs SDK http URL
//
// SDK is "v1" (@modelcontextprotocol/sdk) or "v2" (@modelcontextprotocol/client,
// which negotiates the newest revision). The calls to make are read from stdin
// as JSON, [{"name": ..., "arguments": {...}}, ...]. What came back is printed
// as one JSON object: the negotiated revision, the server, its tools, and one
// result a call. With an object {"calls": [...], "resources": [URI, ...],
// "prompts": [{"name": ..., "arguments": {...}}, ...], "completions": [{"ref":
// ..., "argument": ...}, ...]} it reads, gets and completes those, too. Both SDKs check structured content against the output schema
// and fail where it does not match.
import { text } from "node:stream/consumers";

const [sdk, transportName, target, ...rest] = process.argv.slice(2);
const asked = JSON.parse(await text(process.stdin));
const { calls, resources = [], prompts = [], completions = [] } = Array.isArray(asked) ? { calls: asked } : asked;

const { Client, Http, Stdio, options } = await load(sdk);
const transport =
  transportName === "http"
    ? new Http(new URL(target))
    : new Stdio({ command: target, args: rest, env: process.env, stderr: "inherit" });
// Some transports keep the revision to themselves unless they are told.
let revision;
const tell = transport.setProtocolVersion?.bind(transport);
transport.setProtocolVersion = (version) => {
  revision = version;
  tell?.(version);
};

const client = new Client({ name: `foreign-${sdk}`, version: "1.0.0" }, options);
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of calls) {
  results.push(await client.callTool(call));
}
const read = [];
for (const uri of resources) {
  read.push((await client.readResource({ uri })).contents[0]);
}
const got = [];
for (const prompt of prompts) {
  got.push((await client.getPrompt(prompt)).messages[0].content.text);
}
const completed = [];
for (const completion of completions) {
  completed.push((await client.complete(completion)).completion.values);
}
const templates = resources.length > 0 ? (await client.listResourceTemplates()).resourceTemplates : [];
const listed = prompts.length > 0 ? (await client.listPrompts()).prompts : [];
const answer = {
  revision: client.getNegotiatedProtocolVersion?.() ?? revision,
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools,
  results,
  read,
  got,
  completed,
  templates: templates.map((t) => t.uriTemplate),
  prompts: listed.map((p) => p.name),
};
await client.close();
process.stdout.write(JSON.stringify(answer) + "\n");

async function load(name) {
  if (name === "v1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    return { Client, Http: StreamableHTTPClientTransport, Stdio: StdioClientTransport, options: {} };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  return {
    Client,
    Http: StreamableHTTPClientTransport,
    Stdio: StdioClientTransport,
    options: { versionNegotiation: { mode: "auto" } },
  };
}
