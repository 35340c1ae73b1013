import type { AddressInfo } from "node:net";
import type { AgentCard } from "@a2a-js/sdk";
import {
  DefaultExecutionEventBusManager,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { A2AService, grpcService } from "@a2a-js/sdk/server/grpc";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import express from "express";
import { Skills, skills } from "./skills.ts";

/** The test bed's skills on the server of @a2a-js/sdk, with its defaults; one JSON line says where, once it listens. */

const card = (url: string, grpc: string): AgentCard => ({
  name: "a2a-js",
  description: "The skills of the test bed on the official JavaScript SDK.",
  supportedInterfaces: [
    { url: `${url}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
    { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0", tenant: "" },
    { url: grpc, protocolBinding: "GRPC", protocolVersion: "1.0", tenant: "" },
  ],
  provider: undefined,
  version: "1.3.0",
  documentationUrl: undefined,
  capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: Object.keys(skills).map((id) => ({
    id,
    name: id,
    description: `Shows ${id}.`,
    tags: ["test"],
    examples: [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  })),
  signatures: [],
  iconUrl: undefined,
});

const app = express();
const rpc = new Server();
const grpcPort = await new Promise<number>((resolve, reject) =>
  rpc.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
    error ? reject(error) : resolve(port),
  ),
);
const server = app.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configs = new InMemoryPushNotificationStore();
  const requestHandler = new DefaultRequestHandler(
    card(url, `127.0.0.1:${grpcPort}`),
    new InMemoryTaskStore(),
    new Skills(),
    new DefaultExecutionEventBusManager(),
    configs,
    new DefaultPushNotificationSender(configs),
  );
  const userBuilder = UserBuilder.noAuthentication;
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/rest", restHandler({ requestHandler, userBuilder }));
  app.use("/", jsonRpcHandler({ requestHandler, userBuilder }));
  rpc.addService(A2AService, grpcService({ requestHandler, userBuilder }));
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.on("SIGTERM", () => {
  rpc.forceShutdown();
  server.close();
  server.closeAllConnections();
});
