import { isInternal } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import {
  answerOf,
  describeReply,
  errorOf,
  eventsOf,
  isAnswered,
  isAtRest,
  messageIn,
  taskIn,
} from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import {
  type BegunAtOnce,
  type OwnContext,
  ownContext,
  tasksInOneContext,
  twoTasksAtOnce,
} from "../../observations/contexts.ts";
import { type AnsweredInFull, answeredInFull } from "../../observations/list-pages.ts";
import { noTaskSent } from "../../observations/no-task.ts";
import { type SentCalls, sentCall } from "../../observations/sent-calls.ts";
import { follow, sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { type TaskStream, taskStream } from "../../observations/task-stream.ts";
import { type RefusedCall, unknownTask } from "../../observations/unknown-task.ts";
import { expectTaskNotFound } from "../errors/expect.ts";

const showsItsContext = activeCheck({
  id: "CTX-001",
  uses: { sentMessage },
  also: { taskStream },
  async judge({ sentMessage: { call, task, last, got }, taskStream: stream }, target) {
    if (!task) return (stream && (await inItsStream(stream, target))) ?? noTaskSent();
    if (task.contextId || !last?.contextId) return holds();
    return broken("the answer of SendMessage names no contextId, though GetTask shows one", {
      saw: "no contextId",
      want: `contextId ${brief(last.contextId, 60)}`,
      at: got ? [call, got] : call,
    });
  },
});

/** The same of a stream; undefined where it shows no Task. */
async function inItsStream({ call, events }: TaskStream, target: Target): Promise<Finding | undefined> {
  const shown = events.find(({ is, taskId }) => is === "task" && taskId !== undefined);
  if (!shown) return undefined;
  if (events.some(({ contextId }) => contextId)) return holds();
  const { last, got } = await follow(target, { id: shown.taskId! });
  if (!last?.contextId) return holds();
  return broken("a stream names no contextId, though GetTask shows one", {
    saw: "no contextId",
    want: `contextId ${brief(last.contextId, 60)}`,
    at: [call, got],
  });
}

const keepsTheClients = activeCheck({
  id: "CTX-002",
  uses: { ownContext },
  also: { twoTasksAtOnce, answeredInFull },
  judge: ({ ownContext: alone, twoTasksAtOnce: atOnce = [], answeredInFull: followUp }) => [
    inItsContext(alone),
    ...(followUp ? [inTheSame(followUp)] : []),
    ...(areOneTask(atOnce) ? [] : atOnce.map(inNoOther)),
  ],
});

/** Which is for the rule about ids. */
const areOneTask = ([one, other]: readonly BegunAtOnce[]): boolean =>
  one?.taskId !== undefined && one.taskId === other?.taskId;

/** A follow-up that names the task and its context is answered in that context. */
function inTheSame({ asked, answer }: AnsweredInFull): Finding {
  const shown = [
    taskIn(answer)?.contextId,
    asText(messageIn(answer)?.["contextId"]),
    ...eventsOf(answer).map(({ contextId }) => contextId),
  ];
  const other = shown.find((each) => each && each !== asked.contextId);
  if (!other) return holds();
  return broken("a follow-up that names the context of its task is answered in another one", {
    saw: `contextId ${brief(other, 60)}`,
    want: `contextId ${brief(asked.contextId, 60)}`,
    at: answer,
  });
}

/** Two messages at the same moment; how each of them is answered otherwise is seen when it comes alone. */
function inNoOther({ contextId, call, got, shownContexts }: BegunAtOnce): Finding {
  const other = shownContexts.find((each) => each !== contextId);
  if (other === undefined) return holds();
  return broken("one of two messages at the same moment is answered in another context than the client named", {
    saw: `contextId ${brief(other, 60)}`,
    want: `contextId ${contextId}`,
    at: got ? [call, got] : call,
  });
}

function inItsContext({ contextId, call, got }: OwnContext): Finding {
  const error = errorOf(call);
  if (error) {
    if (!isInternal(call)) return holds("the agent refuses contexts that the client made");
    return crashed(
      "a message in a context of the client's own is answered with an internal error",
      answerOf(call, "an answer in that context, or a refusal"),
    );
  }
  const answer = taskIn(call)?.json ?? messageIn(call);
  if (!answer) return notExamined("unstable", `the message was not answered: ${describeReply(call)}`);
  const shown = [asText(answer["contextId"]), got && taskIn(got)?.contextId];
  const other = shown.find((each) => each !== undefined && each !== "" && each !== contextId);
  if (other !== undefined) {
    return broken("the contextId of the client is replaced by another one", {
      saw: brief(other, 60),
      want: contextId,
      at: got ? [call, got] : call,
    });
  }
  // Missing is for other rules: on a task CTX-001, on a direct message AMB-28.
  return holds(shown[0] ? undefined : "the answer names no context");
}

const idsAreUnique = activeCheck({
  id: "CTX-007",
  uses: { taskAtRest, tasksInOneContext },
  also: { twoTasksAtOnce },
  judge({ taskAtRest: { task: first, call }, tasksInOneContext: { plain, referring }, twoTasksAtOnce: atOnce = [] }) {
    if (areOneTask(atOnce)) {
      return broken("two messages at the same moment are answered with the same task", {
        saw: `id ${brief(atOnce[0]?.taskId, 60)} twice`,
        want: "an id of its own for each",
        at: atOnce.map((each) => each.call),
      });
    }
    const calls = [call, plain, referring];
    // One that comes back instead of a new one is for the rules about contexts.
    const others = [taskIn(plain), taskIn(referring)].filter((task) => task?.id !== first.id);
    const ids = [first, ...others].flatMap((task) => (task ? [task.id] : []));
    if (ids.includes("")) return broken("a task has an empty id", { saw: '"id": ""', want: "a unique id", at: calls });
    if (ids.length < 2) return notExamined("unstable", "the agent made only one task");
    if (new Set(ids).size === ids.length) return holds();
    return broken("two tasks have the same id", { saw: brief(ids), want: "an id of its own for each", at: calls });
  },
});

const beginsAnew = activeCheck({
  id: "CTX-012",
  uses: { tasksInOneContext },
  judge: ({ tasksInOneContext: { first, contextId, plain, referring } }) =>
    inContext(isAnswered(plain) ? plain : referring, first.id, contextId),
});

/** Whether an answer is a new task in a context. */
function inContext(call: Call, firstId: string, contextId: string): Finding {
  const task = taskIn(call);
  if (!task) {
    if (messageIn(call)) return holds("the agent answered with a message");
    return holds(`the agent takes no further message in the context: ${describeReply(call)}`);
  }
  if (task.id === firstId) {
    return breach(
      "ended-task-returned",
      "a message that names a context is answered with the task that had ended in it",
      {
        saw: `id ${brief(task.id, 60)}`,
        want: "a new id",
        at: call,
      },
    );
  }
  if (task.contextId && task.contextId !== contextId) {
    return broken("a message that names a context begins a task in another one", {
      saw: `contextId ${brief(task.contextId, 60)}`,
      want: `contextId ${brief(contextId, 60)}`,
      at: call,
    });
  }
  return holds();
}

const takesReferences = activeCheck({
  id: "CTX-015",
  uses: { tasksInOneContext },
  judge({ tasksInOneContext: { plain, referring } }) {
    if (isAnswered(referring)) return holds();
    if (!isAnswered(plain)) return notExamined("not-triggered", "the agent takes no further message in the context");
    return broken("a message with referenceTaskIds is refused", {
      saw: describeReply(referring),
      want: "an answer, as to the same message without it",
      at: [referring, plain],
    });
  },
});

const leavesTheOldAlone = activeCheck({
  id: "LIFE-003",
  uses: { tasksInOneContext },
  judge({ tasksInOneContext: { first, contextId, referring, after } }) {
    const finding = inContext(referring, first.id, contextId);
    if (finding.is !== "holds") return finding;
    const now = taskIn(after);
    if (!now || now.artifacts.length <= first.artifacts.length) return finding;
    return broken("a task that has ended gets new artifacts from a message that refers to it", {
      saw: `${first.artifacts.length} artifacts, then ${now.artifacts.length}`,
      want: "a new task with the new artifacts",
      at: [after, referring],
    });
  },
});

const strayMessage = (calls: SentCalls<RefusedCall>): Call => {
  const found = sentCall(calls, ({ operation }) => operation === "SendMessage");
  if (!found) throw new TypeError("operations on a task that does not exist lack SendMessage");
  return found.call;
};

const unknownTaskIsNotFound = activeCheck({
  id: "CTX-008",
  uses: { unknownTask },
  also: { sentMessage },
  judge: ({ unknownTask: calls, sentMessage: sent }, target) =>
    expectTaskNotFound(strayMessage(calls), "a message to a task that does not exist", sent, target),
});

const clientsNameNoTasks = activeCheck({
  id: "CTX-009",
  uses: { unknownTask },
  async judge({ unknownTask: calls }, target) {
    const sent = strayMessage(calls);
    const id = asText(asObject(sent.params?.["message"])?.["taskId"])!;
    const got = await target.call("GetTask", { id });
    // How GetTask says that there is none is for another rule.
    if (taskIn(got)?.id !== id) return holds();
    return broken("a task exists under the id that a client made up", {
      saw: describeReply(got),
      want: "no such task",
      at: [got, sent],
    });
  },
});

const tasksOfTheirOwn = activeCheck({
  id: "CTX-019",
  uses: { tasksInOneContext },
  async judge({ tasksInOneContext: { plain, referring } }, target) {
    const [one, other] = [taskIn(plain), taskIn(referring)];
    if (!one || !other) return notApplicable("the agent did not begin a task for each of the messages");
    if (one.id === other.id) {
      return broken("two messages at the same time in one context are answered with the same task", {
        saw: `id ${brief(one.id, 60)} twice`,
        want: "a task for each",
        at: [plain, referring],
      });
    }
    const ends = await Promise.all([one, other].map((task) => follow(target, task)));
    const open = ends.find(({ last }) => last && !isAtRest(last.state));
    if (!open) return holds();
    return notExamined("unstable", "a task did not come to an end in time", "--task-timeout <seconds>");
  },
});

export const contextChecks: readonly Check[] = [
  showsItsContext,
  keepsTheClients,
  idsAreUnique,
  unknownTaskIsNotFound,
  clientsNameNoTasks,
  beginsAnew,
  takesReferences,
  leavesTheOldAlone,
  tasksOfTheirOwn,
];
