import type { AddressInfo } from "node:net";
import type { AgentCard, AgentInterface, SecurityScheme } from "@a2a-js/sdk";
import { duplicateInterfacesForLegacy } from "@a2a-js/sdk/compat/v0_3";
import { createLegacyAwarePushNotificationSender } from "@a2a-js/sdk/compat/v0_3/server";
import { LegacyA2AService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import {
  DefaultExecutionEventBusManager,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { A2AService, grpcService } from "@a2a-js/sdk/server/grpc";
import { readSkills } from "@assay/sdk-javascript";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import express, { type RequestHandler } from "express";
import { behaviours, goesOn } from "./acts.ts";
import { DescribedSkills } from "./described-skills.ts";

/**
 * The test bed's skills on the server of @a2a-js/sdk with its defaults. Prints one JSON line with its address when it
 * listens. With --secured it requires the bearer token "one" or "two", and has an extended card. It then omits gRPC,
 * for which the SDK has no error to reject callers with. With --compat it also speaks 0.3 on each binding. With
 * --reduced its card declares nothing optional; with --echo the same, and it repeats messages without a known keyword.
 */
const secured = process.argv.includes("--secured");
const compat = process.argv.includes("--compat");
const echo = process.argv.includes("--echo");
const file = readSkills();
const full = file.agents["full"]!;
const agent = echo ? { ...full, otherwise: "echo" } : full;
const optional = !echo && !process.argv.includes("--reduced");
const users: Readonly<Record<string, string>> = { "Bearer one": "one", "Bearer two": "two" };

const bearer: SecurityScheme = {
  scheme: { $case: "httpAuthSecurityScheme", value: { description: "", scheme: "Bearer", bearerFormat: "" } },
};

const interfaces = (url: string, grpc: string): AgentInterface[] => {
  const current = [
    { url: `${url}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
    { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0", tenant: "" },
    ...(secured ? [] : [{ url: grpc, protocolBinding: "GRPC", protocolVersion: "1.0", tenant: "" }]),
  ];
  return compat ? duplicateInterfacesForLegacy(current, ["JSONRPC", "HTTP+JSON", "GRPC"]) : current;
};

const card = (url: string, grpc: string): AgentCard => ({
  name: "a2a-js",
  description: "The skills of the test bed on the official JavaScript SDK.",
  supportedInterfaces: interfaces(url, grpc),
  provider: undefined,
  version: "1.3.0",
  documentationUrl: undefined,
  capabilities: { streaming: optional, pushNotifications: optional, extensions: [], extendedAgentCard: secured },
  securitySchemes: secured ? { bearer } : {},
  securityRequirements: secured ? [{ schemes: { bearer: { list: [] } } }] : [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: agent.skills.map((id) => ({
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

/** Rejects unknown callers, in front of the SDK's handlers as in its sample. */
const knownOnly: RequestHandler = (request, response, next) => {
  if (users[request.headers.authorization ?? ""]) return next();
  response.status(401).set("WWW-Authenticate", 'Bearer realm="a2a-js"');
  response.json({ error: { code: 401, status: "UNAUTHENTICATED", message: "A bearer token is needed.", details: [] } });
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
  const configs = new InMemoryPushNotificationStore();
  const shown = card(url, `127.0.0.1:${grpcPort}`);
  const requestHandler = new DefaultRequestHandler(
    shown,
    new InMemoryTaskStore(),
    new DescribedSkills(file, agent, { skills: behaviours, goesOn }),
    new DefaultExecutionEventBusManager(),
    configs,
    compat ? createLegacyAwarePushNotificationSender(configs) : new DefaultPushNotificationSender(configs),
    secured ? { ...shown, description: `${shown.description} For those who are known.` } : undefined,
  );
  const userBuilder: UserBuilder = secured
    ? async ({ headers }) => ({ isAuthenticated: true, userName: users[headers.authorization ?? ""] ?? "" })
    : UserBuilder.noAuthentication;
  const legacyCompat = { enabled: compat };
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  if (secured) app.use(knownOnly);
  app.use("/rest", restHandler({ requestHandler, userBuilder, legacyCompat }));
  app.use("/", jsonRpcHandler({ requestHandler, userBuilder, legacyCompat }));
  if (!secured) {
    const callers = { requestHandler, userBuilder: UserBuilder.noAuthentication };
    rpc.addService(A2AService, grpcService(callers));
    if (compat) rpc.addService(LegacyA2AService, legacyGrpcService(callers));
  }
  process.stdout.write(`${JSON.stringify({ url })}\n`);
});
process.on("SIGTERM", () => {
  rpc.forceShutdown();
  server.close();
  server.closeAllConnections();
});
