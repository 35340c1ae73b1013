import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentCard } from "a2a-sdk-0.3";
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "a2a-sdk-0.3/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "a2a-sdk-0.3/server/express";
import express from "express";

const now = (): string => new Date().toISOString();

/** Answers every message with a task that has one artifact. */
class Weather implements AgentExecutor {
  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    if (!task)
      bus.publish({
        kind: "task",
        id: taskId,
        contextId,
        status: { state: "submitted", timestamp: now() },
        history: [userMessage],
      });
    bus.publish({
      kind: "artifact-update",
      taskId,
      contextId,
      artifact: { artifactId: "forecast", name: "forecast", parts: [{ kind: "text", text: "sunny" }] },
      append: false,
      lastChunk: true,
    });
    bus.publish({
      kind: "status-update",
      taskId,
      contextId,
      status: {
        state: "completed",
        timestamp: now(),
        message: {
          kind: "message",
          messageId: randomUUID(),
          role: "agent",
          parts: [{ kind: "text", text: "done" }],
          taskId,
          contextId,
        },
      },
      final: true,
    });
    bus.finished();
  }

  async cancelTask(): Promise<void> {}
}

const cardAt = (url: string): AgentCard => ({
  protocolVersion: "0.3.0",
  name: "Weather",
  description: "Says what the weather is like.",
  version: "1.0.0",
  url: `${url}/`,
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url: `${url}/`, transport: "JSONRPC" },
    { url: `${url}/rest`, transport: "HTTP+JSON" },
  ],
  capabilities: { streaming: true, pushNotifications: false },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "forecast", name: "Forecast", description: "Forecasts the weather.", tags: ["weather"] }],
});

/** A small agent on the JavaScript SDK for 0.3. */
export function startBefore(): Promise<{ readonly url: string; readonly server: Server }> {
  const app = express();
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const requestHandler = new DefaultRequestHandler(cardAt(url), new InMemoryTaskStore(), new Weather());
      const userBuilder = UserBuilder.noAuthentication;
      app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
      app.use("/rest", restHandler({ requestHandler, userBuilder }));
      app.use("/", jsonRpcHandler({ requestHandler, userBuilder }));
      resolve({ url, server });
    });
  });
}
