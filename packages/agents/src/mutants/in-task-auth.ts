import { A2AError, type Message, type SendMessageRequest } from "@assay/protocol";
import { spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { artifact, status, textOf } from "../definition/skill.ts";
import { single } from "../engine/streams.ts";
import { changeStream, intercept } from "../mutation/operations.ts";
import { eachSkillEvent } from "../mutation/streams.ts";

const sends = ["SendMessage", "SendStreamingMessage"] as const;

const needsAuthorisation = ({ message }: SendMessageRequest): boolean =>
  !message.taskId && textOf(message).startsWith("auth-required");

const link: Message = {
  messageId: "link",
  role: "ROLE_AGENT",
  parts: [{ text: "Log in at https://example.com/authorize, then ask again." }],
};

/** Asks for an authorisation in these words. */
const asking = (text: string): NonNullable<Layers["events"]> =>
  async function* (events) {
    for await (const event of events) {
      const asks = event.is === "status" && event.state === "TASK_STATE_AUTH_REQUIRED";
      yield asks ? { ...event, parts: [{ text }] } : event;
    }
  };

export const inTaskAuthMutants = [
  spec("INTASK-001.login-link", "The agent asks for authorization in a Message, without a task.", {
    operations: intercept(sends, async ({ operation, request, proceed }) => {
      if (!needsAuthorisation(request)) return proceed();
      const message = { ...link, contextId: request.message.contextId ?? "auth" };
      return operation === "SendMessage" ? { answer: { message } } : { events: single({ message }) };
    }),
  }),

  spec("INTASK-002.empty", "A task in AUTH_REQUIRED has no status message.", {
    events: eachSkillEvent((event) => {
      const asks = event.is === "status" && event.state === "TASK_STATE_AUTH_REQUIRED";
      return asks ? { ...event, parts: [{ text: "" }] } : event;
    }),
  }),

  spec("INTASK-003.http-link", "Sends the user to an address without TLS for an authorisation.", {
    events: asking("Log in at http://login.example.com/authorize to go on."),
  }),

  spec("INTASK-003.password", "A task in AUTH_REQUIRED asks for the password in the next message.", {
    events: asking("Please reply with your password to go on."),
  }),

  spec("INTASK-004.closes", "The stream closes at AUTH_REQUIRED.", {
    operations: changeStream(["SendStreamingMessage"], async function* (events) {
      for await (const event of events) {
        yield event;
        if (event.statusUpdate?.status.state === "TASK_STATE_AUTH_REQUIRED") return;
      }
    }),
  }),

  spec("INTASK-006.deaf", "The agent refuses messages to a task in AUTH_REQUIRED.", {
    operations: intercept(sends, async ({ request, proceed, ask }) => {
      const { taskId } = request.message;
      const task = taskId ? await ask("GetTask", { id: taskId }) : undefined;
      if (task?.status.state !== "TASK_STATE_AUTH_REQUIRED") return proceed();
      throw new A2AError("UnsupportedOperation", `Task ${task.id} waits for an authorisation`);
    }),
  }),

  spec("INTASK-007.any-word", "Any message to a task in AUTH_REQUIRED releases the action.", {
    async *events(events, { task }) {
      const isWaiting = task?.status.state === "TASK_STATE_AUTH_REQUIRED";
      for await (const event of events) {
        const isDeclined = isWaiting && event.is === "status" && event.state === "TASK_STATE_CANCELED";
        if (!isDeclined) yield event;
        else yield* [status("working"), artifact("receipt", "Booked.", { last: true }), status("completed")];
      }
    },
  }),
];
