import { A2AError, isTerminal } from "@assay/protocol";
import { instead, orElse } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

export const cancelMutants = [
  mutant("CANCEL-002.ended-too", "spec", "Cancels a task that has ended with success, and returns it as it was.", {
    operations: instead(["CancelTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotCancelable", async () => ({ answer: await ask("GetTask", { id: request.id }) })),
    ),
  }),

  mutant("CANCEL-003.not-cancelable", "spec", "Says of a task that does not exist that it cannot be canceled.", {
    operations: instead(["CancelTask"], ({ proceed }) =>
      orElse(proceed(), "TaskNotFound", ({ message }) => {
        throw new A2AError("TaskNotCancelable", message);
      }),
    ),
  }),

  mutant("CANCEL-005.runs-on", "spec", "Says that a task is canceled, and lets it run to its end.", {
    operations: instead(["CancelTask"], async ({ request, proceed, ask }) => {
      const task = await ask("GetTask", { id: request.id });
      if (isTerminal(task.status.state)) return proceed();
      return { answer: { ...task, status: { ...task.status, state: "TASK_STATE_CANCELED" } } };
    }),
  }),
];
