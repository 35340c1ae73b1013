import type { SendMessageRequest } from "@assay/protocol";
import { instead, orElse, rewish } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

const sends = ["SendMessage", "SendStreamingMessage"] as const;

const withoutTask = (request: SendMessageRequest): SendMessageRequest => {
  const { taskId: _taskId, ...message } = request.message;
  return { ...request, message };
};

const withoutContext = (request: SendMessageRequest): SendMessageRequest => {
  const { contextId: _contextId, ...message } = request.message;
  return { ...request, message };
};

export const contextMutants = [
  mutant("CTX-002.replaced", "spec", "Makes a context of its own where the client has named one.", {
    operations: rewish(sends, (request) => (request.message.taskId ? request : withoutContext(request))),
  }),

  mutant("CTX-008.new-task", "spec", "Starts a new task for a message to one that does not exist.", {
    operations: instead(sends, ({ request, proceed }) =>
      orElse(proceed(), "TaskNotFound", () => proceed(withoutTask(request))),
    ),
  }),

  mutant("CTX-011.mismatch", "spec", "Takes a message whose context is not that of the task it names.", {
    operations: rewish(sends, (request) => (request.message.taskId ? withoutContext(request) : request)),
  }),
];
