import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentCard, type Part, Role, TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import type { JsonObject } from "@assay/protocol";
import express from "express";

const now = (): string => new Date().toISOString();
const text = (value: string): Part => ({
  content: { $case: "text", value },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

/** The same agent, changed as the plan says: the task first, the new names, no `final`. */
class Weather implements AgentExecutor {
  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const started = {
      id: taskId,
      contextId,
      status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now() },
      artifacts: [],
      history: [userMessage],
      metadata: undefined,
    };
    bus.publish(AgentEvent.task(task ?? started));
    bus.publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact: {
          artifactId: "forecast",
          name: "forecast",
          description: "",
          parts: [text("sunny")],
          metadata: undefined,
          extensions: [],
        },
        append: false,
        lastChunk: true,
        metadata: undefined,
      }),
    );
    const message = {
      messageId: randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [text("done")],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const status = { state: TaskState.TASK_STATE_COMPLETED, message, timestamp: now() };
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
  }

  async cancelTask(): Promise<void> {}
}

/** The upgraded agent. Its card is the one of the plan, at its own address. */
export function startAfter(
  cardOfPlan: JsonObject,
  planned: string,
  { compat }: { readonly compat: boolean },
): Promise<{ readonly url: string; readonly server: Server }> {
  const app = express();
  return new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const card = AgentCard.fromJSON(JSON.parse(JSON.stringify(cardOfPlan).replaceAll(planned, url)));
      const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Weather());
      const userBuilder = UserBuilder.noAuthentication;
      const legacyCompat = { enabled: compat };
      app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
      app.use("/rest", restHandler({ requestHandler, userBuilder, legacyCompat }));
      app.use("/", jsonRpcHandler({ requestHandler, userBuilder, legacyCompat }));
      resolve({ url, server });
    });
  });
}
