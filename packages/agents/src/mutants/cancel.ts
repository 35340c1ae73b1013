import { A2AError, isTerminal, type JsonObject } from "@assay/protocol";
import { spec } from "../definition/divergence.ts";
import { answerOf, eachObject, inJson } from "../mutation/json.ts";
import { changeStream, instead, intercept, keepEvents, refuseAs, staysOpenAfter } from "../mutation/operations.ts";

/** Reports a working task as canceled, but does not stop it. */
export const runsOn = intercept(["CancelTask"], async ({ request, proceed, ask }) => {
  const task = await ask("GetTask", { id: request.id });
  if (isTerminal(task.status.state)) return proceed();
  return { answer: { ...task, status: { ...task.status, state: "TASK_STATE_CANCELED" } } };
});

/** Changes the status of a canceled task to completed, in the format of every version. */
function completed(object: JsonObject): JsonObject {
  if (object["state"] === "TASK_STATE_CANCELED") return { ...object, state: "TASK_STATE_COMPLETED" };
  return object["state"] === "canceled" ? { ...object, state: "completed" } : object;
}

export const cancelMutants = [
  spec("CANCEL-001.wrapped", "CancelTask wraps the task in a task member, as SendMessage does.", {
    codec: inJson(answerOf("CancelTask", (task) => ({ task }))),
  }),

  spec("CANCEL-001.no-effect", "CancelTask returns the task unchanged and lets it run to its end.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      return isTerminal(task.status.state) ? proceed() : { answer: task };
    }),
  }),

  spec("CANCEL-001.completes", "CancelTask completes a working task.", {
    codec: (json) => eachObject(json, (object) => completed(object)),
  }),

  spec("CANCEL-002.ended-too", "CancelTask for a completed task returns the task instead of an error.", {
    operations: instead(["CancelTask"], "TaskNotCancelable", async (_error, { request, ask }) => ({
      answer: await ask("GetTask", { id: request.id }),
    })),
  }),

  spec("CANCEL-002.failed-too", "CancelTask cancels a failed task.", {
    operations: instead(["CancelTask"], "TaskNotCancelable", async (error, { request, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (task.status.state !== "TASK_STATE_FAILED") throw error;
      return { answer: { ...task, status: { ...task.status, state: "TASK_STATE_CANCELED" } } };
    }),
  }),

  spec("CANCEL-003.not-cancelable", "CancelTask for an unknown task returns TaskNotCancelableError.", {
    operations: refuseAs(["CancelTask"], "TaskNotFound", "TaskNotCancelable"),
  }),

  spec("CANCEL-004.breaks-down", "CancelTask for a canceled task returns an internal error.", {
    operations: instead(["CancelTask"], "TaskNotCancelable", async (error, { request, ask }) => {
      const { status } = await ask("GetTask", { id: request.id });
      throw status.state === "TASK_STATE_CANCELED" ? new A2AError("Internal", "No worker has this task") : error;
    }),
  }),

  spec("CANCEL-005.runs-on", "CancelTask returns CANCELED, but the task continues to COMPLETED.", {
    operations: runsOn,
  }),

  spec("CANCEL-006.silent", "Streams do not report that their task was canceled.", {
    operations: keepEvents(
      ["SendStreamingMessage", "SubscribeToTask"],
      (event) => event.statusUpdate?.status.state !== "TASK_STATE_CANCELED",
    ),
  }),

  spec("CANCEL-006.completed", "Streams report a canceled task as completed.", {
    operations: changeStream(["SendStreamingMessage", "SubscribeToTask"], async function* (events) {
      for await (const event of events) {
        const { statusUpdate } = event;
        if (statusUpdate?.status.state !== "TASK_STATE_CANCELED") yield event;
        else
          yield {
            statusUpdate: { ...statusUpdate, status: { ...statusUpdate.status, state: "TASK_STATE_COMPLETED" } },
          };
      }
    }),
  }),

  spec("CANCEL-006.stays-open", "The stream of a canceled task stays open.", {
    operations: staysOpenAfter(
      ["SendStreamingMessage", "SubscribeToTask"],
      (event) => event.statusUpdate?.status.state === "TASK_STATE_CANCELED",
    ),
  }),

  spec("CANCEL-007.no-metadata", "CancelTask with metadata returns an error.", {
    operations: intercept(["CancelTask"], async ({ request, proceed }) => {
      if (request.metadata) throw new A2AError("InvalidParams", "metadata is not known");
      return proceed();
    }),
  }),

  spec("CANCEL-007.wants-metadata", "CancelTask without metadata returns invalid params.", {
    operations: intercept(["CancelTask"], async ({ request, proceed }) => {
      if (!request.metadata) throw new A2AError("InvalidParams", "metadata is missing");
      return proceed();
    }),
  }),

  spec("CANCEL-008.says-nothing", "CancelTask returns an empty object for a working task.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      const { status } = await ask("GetTask", { id: request.id });
      return isTerminal(status.state) ? proceed() : { answer: {} };
    }),
  }),

  spec("CANCEL-008.breaks-down", "CancelTask for a working task returns an internal error.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      const { status } = await ask("GetTask", { id: request.id });
      if (isTerminal(status.state)) return proceed();
      throw new A2AError("Internal", "Cancelling is not implemented");
    }),
  }),
];
