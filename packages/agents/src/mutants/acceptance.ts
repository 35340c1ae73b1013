import { A2AError, isObject, isTerminal, type JsonObject, type Message } from "@assay/protocol";
import { echo, spec, spec03 } from "../definition/divergence.ts";
import { answeredTask, answerOf, eachObject, without } from "../mutation/json.ts";
import { changeAnswer, intercept } from "../mutation/operations.ts";

const statusOf = (task: JsonObject): JsonObject => task["status"] as JsonObject;

/**
 * Agents that fail one scenario of acceptance.yaml and pass the others. They exist where other mutants of a
 * rule fail several scenarios, or none is made from /echo or /spec03.
 */
export const acceptanceMutants = [
  echo("CARD-005.left-out", "The card has no version of the agent.", {
    card: (card) => without(card, "version"),
  }),

  echo("SEND-020.in-your-name", "Echoed messages have the role of the user.", {
    operations: changeAnswer(["SendMessage"], ({ message, ...rest }) => {
      if (!message) return rest;
      const echoed: Message = { ...message, role: "ROLE_USER" };
      return { message: echoed };
    }),
  }),

  spec("DATA-024.no-id", "SendMessage returns a task whose artifacts have no ids.", {
    codec: answeredTask((task) => eachObject(task, (object) => without(object, "artifactId")) as JsonObject),
  }),

  spec("CTX-018.other-context", "SendMessage returns a task whose status message has another contextId.", {
    codec: answeredTask((task) => {
      const { message } = statusOf(task);
      if (!isObject(message)) return task;
      return {
        ...task,
        status: { ...statusOf(task), message: { ...message, contextId: "somewhere-else" } } as JsonObject,
      };
    }),
  }),

  spec("LIST-001.in-context", "ListTasks returns tasks only for requests with a contextId.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      if (request.contextId) return proceed();
      throw new A2AError("UnsupportedOperation", "Which context?");
    }),
  }),

  spec("CANCEL-001.wants-metadata", "CancelTask needs metadata to cancel a working task.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      if (request.metadata) return proceed();
      const task = await ask("GetTask", { id: request.id });
      if (isTerminal(task.status.state)) return proceed();
      throw new A2AError("InvalidParams", "metadata is missing");
    }),
  }),

  spec03("V03-DATA-003.new-state", "GetTask returns the state in the format of 1.0.", {
    codec: answerOf("GetTask", (task) => ({
      ...task,
      status: { ...statusOf(task), state: `TASK_STATE_${String(statusOf(task)["state"]).toUpperCase()}` },
    })),
  }),
];
