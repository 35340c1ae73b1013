import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { OlderSkills, readSkills } from "@assay/sdk-javascript";
import type { AgentCard } from "a2a-sdk-0.2";
import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-0.2/server";

/**
 * The test bed's skills on the server of @a2a-js/sdk 0.2.5 with its defaults, over JSON-RPC. Prints one JSON line with
 * its address when it listens. With --secured it requires the bearer token "one" or "two"; the SDK has no extended
 * card. With --push its card declares push notifications. The SDK stores their configurations but never sends any, so
 * the SDK's own sample does not declare them.
 */
const file = readSkills();
const agent = file.agents["full"]!;
const askNobody = async (): Promise<never> => {
  throw new Error("The client of this SDK is not used here.");
};
const secured = process.argv.includes("--secured");
const users: Readonly<Record<string, string>> = { "Bearer one": "one", "Bearer two": "two" };
const cardPath = "/.well-known/agent.json";

/** The card has no `protocolVersion`, because the types of this SDK are those of protocol 0.2.2 and 0.2.3. */
const card = (url: string): AgentCard => ({
  name: "a2a-js-0.2",
  description: "The skills of the test bed on the official JavaScript SDK for 0.2.",
  version: "0.2.5",
  url: `${url}/`,
  capabilities: { streaming: true, pushNotifications: process.argv.includes("--push") },
  ...(secured && { securitySchemes: { bearer: { type: "http", scheme: "Bearer" } }, security: [{ bearer: [] }] }),
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: agent.skills.map((id) => ({ id, name: id, description: `Shows ${id}.`, tags: ["test"] })),
});

type App = Parameters<A2AExpressApp["setupRoutes"]>[0];

/** The SDK's own express, which is older than the one of this repository. */
const express = createRequire(import.meta.resolve("a2a-sdk-0.2/server"))("express") as () => App;

const app = express();
const server: Server = app.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (secured) {
    // The SDK applies its own middleware to the card as well, which must stay public.
    app.use((request, response, next) => {
      if (request.path === cardPath || users[request.headers.authorization ?? ""]) return next();
      response.status(401).set("WWW-Authenticate", 'Bearer realm="a2a-js-0.2"');
      response.json({ message: "A bearer token is needed." });
    });
  }
  new A2AExpressApp(
    new DefaultRequestHandler(card(url), new InMemoryTaskStore(), new OlderSkills(file, agent, askNobody)),
  ).setupRoutes(app);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
