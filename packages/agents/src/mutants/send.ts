import type { Message, SendMessageResponse } from "@assay/protocol";
import { instead, orElse, rewish } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

export const sendMutants = [
  mutant("SEND-008.takes-it", "spec", "Takes a message to an ended task, and shows a new task under the old id.", {
    operations: instead(["SendMessage"], ({ request, proceed }) =>
      orElse(proceed(), "UnsupportedOperation", async () => {
        const { taskId, ...message } = request.message;
        const { task } = (await proceed({ ...request, message })).answer as SendMessageResponse;
        return { answer: task && taskId ? { task: { ...task, id: taskId } } : {} };
      }),
    ),
  }),

  mutant("SEND-010.never-waits", "spec", "Answers every message at once, whether or not the client wants to wait.", {
    operations: rewish(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, returnImmediately: true },
    })),
  }),

  mutant("SEND-012.always-waits", "spec", "Answers when the work is done, although the client asked not to wait.", {
    operations: rewish(["SendMessage"], (request) => ({
      ...request,
      configuration: { ...request.configuration, returnImmediately: false },
    })),
  }),

  mutant("SEND-020.as-the-user", "spec", "Answers in the role of the user, under the id of the user's message.", {
    operations: instead(["SendMessage"], async ({ request, proceed }) => {
      const { message, ...rest } = (await proceed()).answer as SendMessageResponse;
      if (!message) return { answer: rest };
      const echoed: Message = { ...message, messageId: request.message.messageId, role: "ROLE_USER" };
      return { answer: { message: echoed } };
    }),
  }),
];
