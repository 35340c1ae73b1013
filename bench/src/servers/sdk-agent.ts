import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { type AgentCard, type Message, type Part, Role, type Task, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  type RequestContext,
  type TaskStore,
} from "@a2a-js/sdk/server";
import { jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { serveParent } from "./child.ts";

const text = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

const agentMessage = (contextId: string, value: string): Message => ({
  messageId: randomUUID(),
  contextId,
  taskId: "",
  role: Role.ROLE_AGENT,
  parts: [text(value)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** The three measured skills, written like the SDK's own samples. */
const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }: RequestContext, bus: ExecutionEventBus) {
    const [part] = userMessage.parts;
    const said = part?.content?.$case === "text" ? part.content.value : "";
    if (said.startsWith("task-lifecycle") || said.startsWith("chunks")) {
      const now = () => new Date().toISOString();
      const status = (state: TaskState) =>
        bus.publish(
          AgentEvent.statusUpdate({
            taskId,
            contextId,
            status: { state, message: undefined, timestamp: now() },
            metadata: undefined,
          }),
        );
      const task: Task = {
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now() },
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      };
      bus.publish(AgentEvent.task(task));
      status(TaskState.TASK_STATE_WORKING);
      const chunks = said.startsWith("chunks") ? Number(said.split(" ")[1]) : 1;
      for (let chunk = 1; chunk <= chunks; chunk++) {
        const value = chunks === 1 ? `[task-lifecycle] Processed: ${said}` : `${chunk} `.padEnd(16, ".");
        const artifact = {
          artifactId: "result",
          name: "result",
          description: "",
          parts: [text(value)],
          metadata: undefined,
          extensions: [],
        };
        const lastChunk = chunk === chunks;
        bus.publish(
          AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: chunk > 1, lastChunk, metadata: undefined }),
        );
      }
      status(TaskState.TASK_STATE_COMPLETED);
    } else bus.publish(AgentEvent.message(agentMessage(contextId, `[message-only] You said: ${said}`)));
    bus.finished();
  },
  async cancelTask() {},
};

const card = (url: string): AgentCard => ({
  name: "bench",
  description: "bench",
  supportedInterfaces: ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
    url,
    protocolBinding,
    protocolVersion: "1.0",
    tenant: "",
  })),
  provider: undefined,
  version: "1",
  documentationUrl: undefined,
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  signatures: [],
  iconUrl: undefined,
});

/** Serves the agent with a store of the SDK. */
export function serveSdk(store: TaskStore): void {
  const app = express();
  const server = app.listen(0, "127.0.0.1", () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/spec`;
    const requestHandler = new DefaultRequestHandler(card(url), store, executor);
    const userBuilder = UserBuilder.noAuthentication;
    app.use("/spec", jsonRpcHandler({ requestHandler, userBuilder }));
    app.use("/spec", restHandler({ requestHandler, userBuilder }));
    serveParent(url);
  });
}
