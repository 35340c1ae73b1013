import { isInternal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, asText } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, eventsOf, isEnded, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { isTurnedAway } from "../../observations/login.ts";
import {
  foreignTask,
  type OtherPrincipalsCalls,
  otherPrincipalsCalls,
  taskIdsIn,
  tasksIn,
} from "../../observations/principals.ts";
import { sendParams } from "../../observations/sending.ts";
import { ask, isClaimed } from "../../observations/unknown-task.ts";

/** An error that speaks of the state a task is in. Over HTTP+JSON the number alone stands for many others. */
export function tellsState(call: Call): boolean {
  const reason = errorOf(call)?.reason;
  return (["TaskNotCancelable", "UnsupportedOperation"] as const).some((name) =>
    reason === undefined && call.on.binding === "HTTP+JSON" ? false : matches(call, name),
  );
}

const want = "TaskNotFoundError, as for a task that does not exist";

/** Whether a caller was kept away from a task of another principal; an authorization error is as good (AMB-33). */
function keptAway(what: string, call: Call): Finding {
  const details = answerOf(call, want);
  if (isInternal(call) || call.reply.is === "failure") {
    return crashed(`${what} on a task of another principal breaks down`, details);
  }
  if (call.reply.is === "malformed")
    return isTurnedAway(call) ? holds() : breach("unreadable-answer", `${what} is answered unreadably`, details);
  if (!errorOf(call)) return broken(`${what} is served on a task of another principal`, details);
  if (matches(call, "TaskNotFound") || isTurnedAway(call)) return holds();
  return breach(
    "other-reason",
    `${what} on a task of another principal is refused for another reason than that`,
    details,
  );
}

const totalOf = (call: Call): number | undefined => {
  const total = asObject(resultOf(call))?.["totalSize"];
  return typeof total === "number" ? total : undefined;
};

export const othersTasks: readonly Check[] = [
  activeCheck({
    id: "AUTH-011",
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { task, after, byContext } }) {
      for (const [how, call] of [
        ["", after],
        [" by its context", byContext],
      ] as const) {
        if (call && taskIdsIn(call).includes(task.id)) {
          return broken(`a task of another principal is listed${how}`, {
            saw: `${tasksIn(call).length} tasks, that of another principal among them`,
            want: "only tasks that the caller may see",
            at: call,
          });
        }
      }
      return after.reply.is === "result" ? holds() : notApplicable(`tasks cannot be listed: ${describeReply(after)}`);
    },
  }),

  activeCheck({
    id: "AUTH-012",
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: seen }) {
      const { before, after, byToken } = seen;
      const [was, is] = [totalOf(before), totalOf(after)];
      const known = taskIdsIn(before);
      // What is new to them was made by themselves meanwhile.
      const own = taskIdsIn(after).filter((id) => !known.includes(id)).length;
      if (was !== undefined && is !== undefined && is - was > own && !taskIdsIn(after).includes(seen.task.id)) {
        return broken("totalSize counts tasks of others", {
          saw: `totalSize ${was}, and ${is} after another principal made a task`,
          want: "the number of the caller's own tasks",
          at: [after, before],
        });
      }
      if (byToken && taskIdsIn(byToken.call).some((id) => byToken.theirs.includes(id))) {
        return broken("a page token of another principal gives access to their tasks", {
          want: "an error, or the caller's own tasks",
          at: byToken.call,
        });
      }
      return was === undefined || is === undefined ? notApplicable("tasks are not counted") : holds();
    },
  }),

  activeCheck({
    id: "AUTH-013",
    uses: { otherPrincipalsCalls },
    judge: ({ otherPrincipalsCalls: { get } }) => keptAway("GetTask", get),
  }),

  activeCheck({
    id: "AUTH-014",
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { cancel, subscribe, still } }) {
      const findings = [keptAway("CancelTask", cancel)];
      if (subscribe && (errorOf(subscribe) || eventsOf(subscribe).length)) {
        findings.push(keptAway("SubscribeToTask", subscribe));
      }
      if (still?.state === "TASK_STATE_CANCELED") {
        findings.push(
          broken("a task is canceled by another principal", {
            saw: still.state,
            want: "a task that goes on",
            at: cancel,
          }),
        );
      }
      return findings;
    },
  }),

  activeCheck({
    id: "AUTH-015",
    // Whether the task waits or works makes no difference to those who have no business with it.
    requires: ["two-principals", "scenario:long"],
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: seen }) {
      const streamed = seen.streamed ? [keptAway("SendStreamingMessage", seen.streamed)] : [];
      return [keptAway("SendMessage", seen.message), ...streamed, ...joined(seen)];
    },
  }),

  activeCheck({
    id: "AUTH-016",
    uses: { foreignTask },
    async judge({ foreignTask: { asked, task } }, target) {
      if (!isEnded(task.state)) return notApplicable("the task of the user has not ended");
      const they = target.as("second");
      const calls = asked.map(({ operation, foreign }) => ({ operation, call: foreign }));
      if (they && isClaimed("SubscribeToTask", target)) {
        const call = await ask(they, "SubscribeToTask", { id: task.id });
        calls.push({ operation: "SubscribeToTask" as never, call });
      }
      if (they) {
        const call = await ask(they, "SendMessage", sendParams(target, { taskId: task.id }));
        calls.push({ operation: "SendMessage" as never, call });
      }
      return calls.map(({ operation, call }): Finding => {
        if (tellsState(call)) {
          return broken(
            `the error of ${operation} depends on the state of a task of another principal`,
            answerOf(call, want),
          );
        }
        // That it is served at all is the business of other rules.
        return holds();
      });
    },
  }),

  activeCheck({
    id: "PUSH-012",
    requires: ["pushNotifications", "two-principals", "scenario:long"],
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { push } }) {
      if (push.length === 0) return notExamined("not-triggered", "no push operation was tried");
      return push.map(({ what, call }) => keptAway(what, call));
    },
  }),
];

/** What came of a message into the context of another principal. */
function joined({ joined: seen, task, byContext }: OtherPrincipalsCalls): Finding[] {
  // Where the contexts of all lie open, their lists prove nothing here.
  if (!seen || (byContext && taskIdsIn(byContext).includes(task.id))) return [];
  const made = taskIn(seen.call);
  if (made && taskIdsIn(seen.listed).includes(made.id)) {
    return [
      broken("a message of another principal ends up among the user's tasks of that context", {
        want: "an error, or a context of its own",
        at: [seen.call, seen.listed],
      }),
    ];
  }
  const theirs = task.history.flatMap(({ messageId }) => asText(messageId) ?? []);
  const shown = asList(made?.json["history"]).some((entry) =>
    theirs.includes(asText(asObject(entry)?.["messageId"]) ?? ""),
  );
  return shown
    ? [
        broken("an answer shows the history of another principal's context", {
          want: "nothing of what others said",
          at: seen.call,
        }),
      ]
    : [];
}
