import { A2AError, isObject, isTerminal, type JsonObject, type Message } from "@assay/protocol";
import { echo, spec, spec03 } from "../definition/divergence.ts";
import { answeredTask, answerOf, eachObject, without } from "../mutation/json.ts";
import { changeAnswer, intercept } from "../mutation/operations.ts";

const statusOf = (task: JsonObject): JsonObject => task["status"] as JsonObject;

/**
 * Agents that get one scenario of acceptance.yaml wrong, and the others right: where the other mutants of a rule
 * trouble several scenarios at once, or where there is none that is made from /echo or /spec03.
 */
export const acceptanceMutants = [
  echo("CARD-005.left-out", "Its card does not say which version of the agent it is.", {
    card: (card) => without(card, "version"),
  }),

  echo("SEND-020.in-your-name", "Echoes in the role of the user.", {
    operations: changeAnswer(["SendMessage"], ({ message, ...rest }) => {
      if (!message) return rest;
      const echoed: Message = { ...message, role: "ROLE_USER" };
      return { message: echoed };
    }),
  }),

  spec("DATA-024.no-id", "Answers a message with a task whose artifacts have no ids.", {
    codec: answeredTask((task) => eachObject(task, (object) => without(object, "artifactId")) as JsonObject),
  }),

  spec("CTX-018.other-context", "Answers a message with a task whose question names another context.", {
    codec: answeredTask((task) => {
      const { message } = statusOf(task);
      if (!isObject(message)) return task;
      return {
        ...task,
        status: { ...statusOf(task), message: { ...message, contextId: "somewhere-else" } } as JsonObject,
      };
    }),
  }),

  spec("LIST-001.in-context", "Lists tasks only for those who name a context.", {
    operations: intercept(["ListTasks"], async ({ request, proceed }) => {
      if (request.contextId) return proceed();
      throw new A2AError("UnsupportedOperation", "Which context?");
    }),
  }),

  spec("CANCEL-001.wants-metadata", "Cancels a task at work only where metadata say why.", {
    operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
      if (request.metadata) return proceed();
      const task = await ask("GetTask", { id: request.id });
      if (isTerminal(task.status.state)) return proceed();
      throw new A2AError("InvalidParams", "metadata is missing");
    }),
  }),

  spec03("V03-DATA-003.new-state", "Shows a task that is asked for with its state written as 1.0 does.", {
    codec: answerOf("GetTask", (task) => ({
      ...task,
      status: { ...statusOf(task), state: `TASK_STATE_${String(statusOf(task)["state"]).toUpperCase()}` },
    })),
  }),
];
