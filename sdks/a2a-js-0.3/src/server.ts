import type { AddressInfo } from "node:net";
import { OlderSkills, readSkills } from "@assay/sdk-javascript";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { AgentCard } from "a2a-sdk-0.3";
import { DefaultRequestHandler, InMemoryTaskStore } from "a2a-sdk-0.3/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "a2a-sdk-0.3/server/express";
import { A2AService, grpcService } from "a2a-sdk-0.3/server/grpc";
import express, { type RequestHandler } from "express";
import { askWithSdk } from "./relay.ts";

/**
 * The test bed's skills on the server of @a2a-js/sdk 0.3.14 with its defaults. Prints one JSON line with its address
 * when it listens. With --secured it requires the bearer token "one" or "two", and has an extended card. It then omits
 * gRPC, for which the SDK has no error to reject callers with.
 */
const file = readSkills();
const agent = file.agents["full"]!;
const secured = process.argv.includes("--secured");
const users: Readonly<Record<string, string>> = { "Bearer one": "one", "Bearer two": "two" };

const card = (url: string, grpc: string): AgentCard => ({
  protocolVersion: "0.3.0",
  name: "a2a-js-0.3",
  description: "The skills of the test bed on the official JavaScript SDK for 0.3.",
  version: "0.3.14",
  url: `${url}/`,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url: `${url}/`, transport: "JSONRPC" },
    { url: `${url}/rest`, transport: "HTTP+JSON" },
    ...(secured ? [] : [{ url: grpc, transport: "GRPC" }]),
  ],
  capabilities: { streaming: true, pushNotifications: true },
  supportsAuthenticatedExtendedCard: secured,
  ...(secured && { securitySchemes: { bearer: { type: "http", scheme: "Bearer" } }, security: [{ bearer: [] }] }),
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: agent.skills.map((id) => ({ id, name: id, description: `Shows ${id}.`, tags: ["test"] })),
});

/** Rejects unknown callers. The SDK leaves this to the application that mounts its handlers. */
const knownOnly: RequestHandler = (request, response, next) => {
  if (users[request.headers.authorization ?? ""]) return next();
  response.status(401).set("WWW-Authenticate", 'Bearer realm="a2a-js-0.3"');
  response.json({ message: "A bearer token is needed." });
};

const app = express();
const rpc = new Server();
const grpcPort = await new Promise<number>((resolve, reject) =>
  rpc.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  ),
);
const server = app.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shown = card(url, `127.0.0.1:${grpcPort}`);
  const requestHandler = new DefaultRequestHandler(
    shown,
    new InMemoryTaskStore(),
    new OlderSkills(file, agent, askWithSdk),
    undefined,
    undefined,
    undefined,
    secured ? { ...shown, description: `${shown.description} For those who are known.` } : undefined,
  );
  const userBuilder: UserBuilder = secured
    ? async ({ headers }) => ({ isAuthenticated: true, userName: users[headers.authorization ?? ""] ?? "" })
    : UserBuilder.noAuthentication;
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  if (secured) app.use(knownOnly);
  app.use("/rest", restHandler({ requestHandler, userBuilder }));
  app.use("/", jsonRpcHandler({ requestHandler, userBuilder }));
  if (!secured) rpc.addService(A2AService, grpcService({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.on("SIGTERM", () => {
  rpc.forceShutdown();
  server.close();
  server.closeAllConnections();
});
