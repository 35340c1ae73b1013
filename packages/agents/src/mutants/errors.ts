import { A2AError } from "@assay/protocol";
import { secureCallers } from "../access.ts";
import { instead, orElse } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

export const errorMutants = [
  mutant("ERR-009.names-the-owner", "secure", "Tells who owns a task that the caller may not see.", {
    operations: instead(["GetTask"], ({ request, proceed, ask }) =>
      orElse(proceed(), "TaskNotFound", async (error) => {
        for (const principal of secureCallers) {
          const theirs = await ask("GetTask", request, { principal }).catch(() => undefined);
          if (theirs) throw new A2AError("TaskNotFound", `Task ${theirs.id} belongs to ${principal.name}`);
        }
        throw error;
      }),
    ),
  }),

  mutant("ERR-029.internal", "spec", "Calls it an internal error when an ended task is to be canceled.", {
    operations: instead(["CancelTask"], ({ proceed }) =>
      orElse(proceed(), "TaskNotCancelable", ({ message }) => {
        throw new A2AError("Internal", message);
      }),
    ),
  }),
];
