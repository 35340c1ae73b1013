import type { AddressInfo } from "node:net";
import { installed, OlderSkills, portAsked, readSkills, type SkilledAgent, serverReady } from "@assay/sdk-javascript";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import type { AgentCard } from "a2a-sdk-0.3";
import {
  DefaultExecutionEventBusManager,
  DefaultPushNotificationSender,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
} from "a2a-sdk-0.3/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "a2a-sdk-0.3/server/express";
import { A2AService, grpcService } from "a2a-sdk-0.3/server/grpc";
import express from "express";
import { askWithSdk } from "./relay.ts";

/** The agents of sdks/skills.json on the server of @a2a-js/sdk 0.3, with its defaults (docs/drivers.md). */

const sdk = installed(import.meta.resolve("a2a-sdk-0.3"));
const file = readSkills();
const userBuilder = UserBuilder.noAuthentication;

const cardOf = (agent: SkilledAgent, url: string, grpc: string): AgentCard => ({
  protocolVersion: "0.3.0",
  name: agent.name,
  description: agent.description,
  version: sdk.version,
  url,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url, transport: "JSONRPC" },
    { url: `${url}/rest`, transport: "HTTP+JSON" },
    { url: grpc, transport: "GRPC" },
  ],
  capabilities: { streaming: agent.streaming, pushNotifications: agent.push },
  defaultInputModes: [...agent.inputModes],
  defaultOutputModes: [...agent.outputModes],
  skills: agent.skills.map((id) => {
    const { name, description, tags } = file.skills[id]!;
    return { id, name, description, tags: [...tags] };
  }),
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
      new OlderSkills(file, agent, askWithSdk),
      new DefaultExecutionEventBusManager(),
      configs,
      new DefaultPushNotificationSender(configs),
    );
    rpc.addService(A2AService, grpcService({ requestHandler, userBuilder }));
    app.use(`/${name}/.well-known/agent-card.json`, agentCardHandler({ agentCardProvider: requestHandler }));
    app.use(`/${name}/rest`, restHandler({ requestHandler, userBuilder }));
    app.use(`/${name}`, jsonRpcHandler({ requestHandler, userBuilder }));
    addresses[name] = url;
  }
  serverReady(sdk, addresses);
});
