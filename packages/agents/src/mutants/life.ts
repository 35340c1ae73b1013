import {
  A2AError,
  type JsonObject,
  type Message,
  type Part,
  type SendMessageRequest,
  type Task,
} from "@assay/protocol";
import { type Divergence, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { artifact, status, textOf } from "../definition/skill.ts";
import { single } from "../engine/streams.ts";
import { answerOf, eachMember, inJson } from "../mutation/json.ts";
import { changeAnswer, changeStream, intercept, orElse } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { eachSkillEvent } from "../mutation/streams.ts";
import { runsOn } from "./cancel.ts";

/** Remembers which ended tasks got a message. */
const reopened: Divergence = spec(
  "LIFE-002.reopened",
  "Rejects a message to an ended task, but starts to work on it again.",
  () => {
    const open = new RecentSet();
    const operations = intercept(["SendMessage", "GetTask"], async ({ operation, request, proceed }) => {
      if (operation === "SendMessage") {
        return orElse(proceed(), "UnsupportedOperation", (error) => {
          open.add((request as { message: Message }).message.taskId!);
          throw error;
        });
      }
      const task = (await proceed()).answer as Task;
      if (!open.has(task.id)) return { answer: task };
      return { answer: { ...task, status: { ...task.status, state: "TASK_STATE_WORKING" } } };
    });
    return { operations };
  },
);

export const lifeMutants: readonly Divergence[] = [
  spec("LIFE-001.thinking", "A working task has the private state TASK_STATE_THINKING.", {
    codec: inJson((json) =>
      eachMember(json, "state", (state) => (state === "TASK_STATE_WORKING" ? "TASK_STATE_THINKING" : state)),
    ),
  }),

  spec("LIFE-001.unspecified", "A working task has the state TASK_STATE_UNSPECIFIED.", {
    codec: (json) =>
      eachMember(json, "state", (state) => (state === "TASK_STATE_WORKING" ? "TASK_STATE_UNSPECIFIED" : state)),
  }),

  reopened,

  spec("LIFE-002.uncanceled", "A task in CANCELED changes to COMPLETED.", { operations: runsOn }),

  spec("LIFE-002.recovers", "A task in FAILED changes to COMPLETED.", {
    operations: changeAnswer(["GetTask"], (task) => {
      if (task.status.state !== "TASK_STATE_FAILED") return task;
      return { ...task, status: { ...task.status, state: "TASK_STATE_COMPLETED" } };
    }),
  }),

  spec(
    "LIFE-003.into-the-old",
    "The response to a message that references an ended task is that task instead of a new one.",
    {
      operations: intercept(["SendMessage"], async ({ request, proceed, ask }) => {
        const [id] = request.message.referenceTaskIds ?? [];
        return id === undefined ? proceed() : { answer: { task: await ask("GetTask", { id }) } };
      }),
    },
  ),

  spec("LIFE-004.in-the-status", "The agent delivers its result in the last status message instead of an artifact.", {
    async *events(events) {
      const made: Part[] = [];
      for await (const event of events) {
        if (event.is === "artifact") made.push(...event.parts);
        else if (event.is === "status" && event.state === "TASK_STATE_COMPLETED" && made.length) {
          yield { ...event, parts: made };
        } else yield event;
      }
    },
  }),

  spec("LIFE-005.in-messages", "The agent delivers its result in WORKING status messages instead of an artifact.", {
    events: eachSkillEvent((event) =>
      event.is === "artifact" ? { is: "status", state: "TASK_STATE_WORKING", parts: event.parts } : event,
    ),
  }),

  spec("LIFE-007.same-id", "A refined artifact has the artifactId of the original artifact.", {
    async *events(events) {
      for await (const event of events) {
        if (event.is !== "artifact") yield event;
        else {
          const { id: _id, ...rest } = event;
          yield rest;
        }
      }
    },
  }),

  spec("LIFE-007.new-name", "A refined artifact gets another name.", {
    events: eachSkillEvent((event) =>
      event.is === "artifact" && event.id !== undefined ? { ...event, name: "improved" } : event,
    ),
  }),

  spec("LIFE-011.guesses", "The agent refines any artifact when the request does not say which one it means.", {
    async *events(events, { text }) {
      for await (const event of events) {
        const asks = event.is === "status" && event.state === "TASK_STATE_INPUT_REQUIRED";
        if (!asks || !text.startsWith("refine")) yield event;
        else yield* [artifact("result", "[refine] Something", { id: "guess", last: true }), status("completed")];
      }
    },
  }),

  spec("LIFE-008.bare", "The response to a message that continues a task is a Message.", {
    operations: changeAnswer(["SendMessage"], (answer, { request }) => {
      const { task } = answer;
      if (!task || !request.message.taskId) return answer;
      const message: Message = { messageId: "thanks", role: "ROLE_AGENT", parts: [{ text: "Thank you." }] };
      return { message: { ...message, contextId: task.contextId, taskId: task.id } };
    }),
  }),

  spec("LIFE-009.time-of-answer", "The status timestamp is the time of each GetTask response.", {
    codec: answerOf("GetTask", (task) => ({
      ...task,
      status: { ...(task["status"] as JsonObject), timestamp: new Date().toISOString() },
    })),
  }),
];

const sends = ["SendMessage", "SendStreamingMessage"] as const;

const needsAuthorisation = ({ message }: SendMessageRequest): boolean =>
  !message.taskId && textOf(message).startsWith("auth-required");

const link: Message = {
  messageId: "link",
  role: "ROLE_AGENT",
  parts: [{ text: "Log in at https://example.com/authorize, then ask again." }],
};

/** Asks for an authorisation with this text. */
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

  spec("INTASK-003.http-link", "Sends the user to an http address for an authorisation.", {
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

  spec("INTASK-006.deaf", "The agent rejects messages to a task in AUTH_REQUIRED.", {
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
