import { A2AError, isTerminal, type JsonObject } from "@assay/protocol";
import { minimal, spec } from "../definition/divergence.ts";
import { single } from "../engine/streams.ts";
import { errors } from "../mutation/json.ts";
import { changeEvents, changeStream, instead, intercept, keepEvents, staysOpenAfter } from "../mutation/operations.ts";
import { nothing, silence } from "../mutation/streams.ts";

export const subscribeMutants = [
  spec("SUB-001.no-snapshot", "A subscription starts with the next update instead of the current Task.", {
    operations: keepEvents(["SubscribeToTask"], (event) => !event.task),
  }),

  spec("SUB-001.as-it-began", "A subscription starts with the task as it was at its creation.", {
    operations: changeEvents(["SubscribeToTask"], (event) => {
      const { task } = event;
      return task && !isTerminal(task.status.state)
        ? { task: { ...task, status: { ...task.status, state: "TASK_STATE_SUBMITTED" } } }
        : event;
    }),
  }),

  spec("SUB-002.stays-open", "A subscription stays open after the task has ended.", {
    operations: staysOpenAfter(["SubscribeToTask"], (event) =>
      isTerminal((event.statusUpdate ?? event.task)?.status.state ?? "TASK_STATE_WORKING"),
    ),
  }),

  spec("SUB-003.replays", "SubscribeToTask to a completed task returns a stream instead of an error.", {
    operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      return isTerminal(task.status.state) ? { events: single({ task }) } : proceed();
    }),
  }),

  spec("SUB-003.failed-too", "Subscribing to a failed task returns the task.", {
    operations: instead(["SubscribeToTask"], "UnsupportedOperation", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_FAILED") throw error;
      return { events: single({ task }) };
    }),
  }),

  spec("SUB-003.empty", "Subscribing to an ended task opens an empty stream.", {
    operations: instead(["SubscribeToTask"], "UnsupportedOperation", () => ({ events: nothing() })),
  }),

  spec("SUB-004.waits-for-it", "SubscribeToTask to an unknown task returns an empty stream that stays open.", {
    operations: instead(["SubscribeToTask"], "TaskNotFound", (_error, { invocation }) => ({
      events: silence(invocation.client.signal),
    })),
  }),

  minimal("SUB-005.unknown", "SubscribeToTask is an unknown method on an agent that does not stream.", {
    operations: intercept(["SubscribeToTask"], () => {
      throw new A2AError("MethodNotFound", "There is no SubscribeToTask here");
    }),
  }),

  spec("SUB-006.only-at-work", "SubscribeToTask to a task in INPUT_REQUIRED returns an error.", {
    operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_INPUT_REQUIRED") return proceed();
      throw new A2AError("UnsupportedOperation", "The task is not at work");
    }),
  }),

  spec("SUB-006.not-while-authorising", "Rejects subscriptions to a task in AUTH_REQUIRED.", {
    operations: intercept(["SubscribeToTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_AUTH_REQUIRED") return proceed();
      throw new A2AError("UnsupportedOperation", "The task is not at work");
    }),
  }),

  spec("SUB-007.gap", "A subscription loses the first event after its snapshot.", {
    operations: changeStream(["SubscribeToTask"], async function* (events) {
      let lost = false;
      for await (const event of events) {
        const isFirst: boolean =
          !event.task && !lost && !isTerminal(event.statusUpdate?.status.state ?? "TASK_STATE_WORKING");
        lost ||= isFirst;
        if (!isFirst) yield event;
      }
    }),
  }),

  spec("SUB-008.breaks-down", "SubscribeToTask without id returns an internal error over JSON-RPC.", {
    codec: errors("JSONRPC", (answer, { operation }) =>
      operation === "SubscribeToTask" && (answer["error"] as JsonObject)["code"] === -32602
        ? { ...answer, error: { code: -32603, message: "Internal error" } }
        : answer,
    ),
  }),

  spec("SUB-010.whole-context", "A subscription also delivers events of other tasks.", {
    operations: changeStream(["SubscribeToTask"], async function* (events) {
      for await (const event of events) {
        yield event;
        if (!event.task) continue;
        const { contextId = "", status } = event.task;
        yield { statusUpdate: { taskId: crypto.randomUUID(), contextId, status } };
      }
    }),
  }),
];
