import type { JsonObject } from "@assay/protocol";
import { asObject, asObjects, asText, brief, shown } from "../../answers/loose-json.ts";
import { eventsOf, type LooseTask, looseTask, messageIn, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, isBreach, notExamined } from "../../define/finding.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { directMessage, sentMessage, taskAtRest } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";

const states = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
];

/** Versions before 1.0 have a ninth state; 1.0 reads it as UNSPECIFIED. */
const unknown = "UNSPECIFIED";

/** Normalizes the name; other rules judge the spelling of a state. */
const nameOf = (state: string): string =>
  state
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^TASK_STATE_/, "")
    .replace("CANCELLED", "CANCELED");

export const hasAState = passiveCheck("LIFE-001", {
  shownBy: [sentMessage, slowTask],
  judge(call) {
    const found = new Set<string>();
    for (const { state } of [...tasksIn(call), ...eventsOf(call)]) if (state !== undefined) found.add(state);
    if (found.size === 0) return undefined;
    const known = call.on.dialect === "1.0" ? states : [...states, unknown];
    const other = [...found].find((state) => !known.includes(nameOf(state)));
    if (other === undefined) return holds();
    return broken("a task has a state that the protocol does not define", {
      saw: brief(other, 60),
      want: "one of the eight states of TaskState",
    });
  },
});

/** Returns every task in a response, of any operation. */
function tasksIn(call: Call): LooseTask[] {
  const listed = call.operation === "ListTasks" ? asObjects(asObject(resultOf(call))?.["tasks"]) : [];
  const streamed = eventsOf(call).flatMap(({ is, content }) => (is === "task" ? [content] : []));
  const whole =
    call.operation === "SendMessage" || call.operation === "GetTask" || call.operation === "CancelTask"
      ? taskIn(call)
      : undefined;
  return [...(whole ? [whole] : []), ...[...listed, ...streamed].flatMap((json) => looseTask(json) ?? [])];
}

export const messagesBelong = passiveCheck("CTX-018", {
  shownBy: [sentMessage, inputRequired, directMessage],
  judge(call) {
    const opening = eventsOf(call).find(({ is }) => is === "task");
    const direct = [
      messageIn(call),
      ...eventsOf(call).map(({ is, content }) => (is === "message" ? content : undefined)),
    ];
    const findings = [
      ...direct.flatMap((message) => (message ? [ofDirect(message, call)] : [])),
      ...tasksIn(call).flatMap((task) => ofTask(task, call)),
      ...eventsOf(call).flatMap((event) => {
        if (event.is !== "status") return [];
        const found = ofStatus(event.content, event.taskId, event.contextId, call);
        // STREAM-019 judges an update whose own ids differ from those of the Task.
        const isOfTask =
          opening &&
          found.some((finding) => isBreach(finding)) &&
          belongs(statusMessage(event.content)!, opening.taskId, opening.contextId);
        return isOfTask ? [holds()] : found;
      }),
    ];
    return findings.length ? findings : undefined;
  },
});

function ofDirect(message: JsonObject, at: Call): Finding {
  if (asText(message["contextId"])) return holds();
  return breach("no-context-id", "a direct message has no contextId", {
    ...shown(message),
    want: "a contextId",
    at,
  });
}

function ofTask(task: LooseTask, at: Call): Finding[] {
  // Messages of clients are not the agent's; CTX-010 judges the context of a follow-up.
  const strangers = task.history.filter(
    (message) => message["role"] !== "ROLE_USER" && !belongs(message, task.id, task.contextId),
  );
  return [
    ...ofStatus(task.json, task.id, task.contextId, at),
    ...strangers.map((message) =>
      breach("stray-history-message", "a message in the history of a task has the taskId or contextId of another one", {
        saw: brief({ taskId: message["taskId"], contextId: message["contextId"] }),
        spot: { within: message },
        want: brief({ taskId: task.id, contextId: task.contextId }),
        at,
      }),
    ),
  ];
}

const statusMessage = (holder: JsonObject): JsonObject | undefined => asObject(asObject(holder["status"])?.["message"]);

function ofStatus(holder: JsonObject, id: string | undefined, contextId: string | undefined, at: Call): Finding[] {
  const message = statusMessage(holder);
  if (!message) return [];
  if (belongs(message, id, contextId)) return [holds()];
  return [
    broken("status.message has the taskId or contextId of another task", {
      saw: brief({ taskId: message["taskId"], contextId: message["contextId"] }),
      spot: { within: message },
      want: brief({ taskId: id, contextId }),
      at,
    }),
  ];
}

/** An absent or empty member contradicts nothing. */
const belongs = (message: JsonObject, id: string | undefined, contextId: string | undefined): boolean =>
  agree(asText(message["taskId"]), id) && agree(asText(message["contextId"]), contextId);

const agree = (said: string | undefined, own: string | undefined): boolean => !said || !own || said === own;

/** Returns what the agent said in a task, in the status and in the history. */
const wordsOf = ({ json }: LooseTask): JsonObject[] => {
  const message = asObject(asObject(json["status"])?.["message"]);
  return message ? [message] : [];
};

export const resultsAreArtifacts = activeCheck("LIFE-004", {
  uses: { taskAtRest },
  judge({ taskAtRest: { last, got } }) {
    if (last.state !== "TASK_STATE_COMPLETED") return notExamined("unstable", "the task was not completed");
    if (last.artifacts.length > 0 || wordsOf(last).length === 0) return holds();
    return broken("the agent completes a task with a status.message but without an artifact", {
      ...shown(wordsOf(last)[0]),
      want: "the result in artifacts",
      at: got,
    });
  },
});

export const messagesAreNoResults = activeCheck("LIFE-005", {
  uses: { taskAtRest },
  judge({ taskAtRest: { last, got } }) {
    if (last.state !== "TASK_STATE_COMPLETED") return notExamined("unstable", "the task was not completed");
    const words = last.history.filter(({ role }) => role === "ROLE_AGENT");
    if (last.artifacts.length > 0 || words.length === 0) return holds();
    return broken("the agent completes a task without an artifact, with its output in the history", {
      ...shown(words.at(-1)),
      want: "the output in artifacts",
      at: got,
    });
  },
});
