import type { AddressInfo } from "node:net";
import type { AgentCard, AgentInterface } from "@a2a-js/sdk";
import { duplicateInterfacesForLegacy } from "@a2a-js/sdk/compat/v0_3";
import { createLegacyAwarePushNotificationSender } from "@a2a-js/sdk/compat/v0_3/server";
import { LegacyA2AService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import {
  DefaultExecutionEventBusManager,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { A2AService, grpcService } from "@a2a-js/sdk/server/grpc";
import { installed, portAsked, readSkills, type SkilledAgent, serverReady } from "@assay/sdk-javascript";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import express from "express";
import { DescribedSkills } from "./described-skills.ts";

/** The agents of sdks/skills.json on the server of @a2a-js/sdk, with its defaults and its layer for 0.3 (docs/drivers.md). */

const sdk = installed(import.meta.resolve("@a2a-js/sdk"));
const file = readSkills();
const legacyCompat = { enabled: true };
const userBuilder = UserBuilder.noAuthentication;

const interfaces = (url: string, grpc: string): AgentInterface[] =>
  duplicateInterfacesForLegacy(
    [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
      { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0", tenant: "" },
      { url: grpc, protocolBinding: "GRPC", protocolVersion: "1.0", tenant: "" },
    ],
    ["JSONRPC", "HTTP+JSON", "GRPC"],
  );

const cardOf = (agent: SkilledAgent, url: string, grpc: string): AgentCard => ({
  name: agent.name,
  description: agent.description,
  supportedInterfaces: interfaces(url, grpc),
  provider: undefined,
  version: sdk.version,
  documentationUrl: undefined,
  capabilities: {
    streaming: agent.streaming,
    pushNotifications: agent.push,
    extensions: [],
    extendedAgentCard: false,
  },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: [...agent.inputModes],
  defaultOutputModes: [...agent.outputModes],
  skills: agent.skills.map((id) => {
    const { name, description, tags } = file.skills[id]!;
    return {
      id,
      name,
      description,
      tags: [...tags],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    };
  }),
  signatures: [],
  iconUrl: undefined,
});

/** Starts a gRPC server for one agent. gRPC has no paths, so agents cannot share one. */
const listen = (rpc: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    rpc.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );

const app = express();
const server = app.listen(portAsked(), "127.0.0.1", async () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses: Record<string, string> = {};
  for (const [name, agent] of Object.entries(file.agents)) {
    const url = `${base}/${name}`;
    const rpc = new Server();
    const card = cardOf(agent, url, `127.0.0.1:${await listen(rpc)}`);
    const configs = new InMemoryPushNotificationStore();
    const requestHandler = new DefaultRequestHandler(
      card,
      new InMemoryTaskStore(),
      new DescribedSkills(file, agent),
      new DefaultExecutionEventBusManager(),
      configs,
      createLegacyAwarePushNotificationSender(configs),
    );
    rpc.addService(A2AService, grpcService({ requestHandler, userBuilder }));
    rpc.addService(LegacyA2AService, legacyGrpcService({ requestHandler, userBuilder }));
    app.use(
      `/${name}/.well-known/agent-card.json`,
      agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
    );
    app.use(`/${name}/rest`, restHandler({ requestHandler, userBuilder, legacyCompat }));
    app.use(`/${name}`, jsonRpcHandler({ requestHandler, userBuilder, legacyCompat }));
    addresses[name] = url;
  }
  serverReady(sdk, addresses);
});
