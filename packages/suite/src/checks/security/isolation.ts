import { isInternal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, asText } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, eventsOf, isEnded, resultOf, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import {
  breach,
  broken,
  crashed,
  type Finding,
  holds,
  isBreach,
  notApplicable,
  notExamined,
} from "../../define/finding.ts";
import { slowerPrompt } from "../../observations/cancelled.ts";
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

/** Recognises an error about the state of a task. Over HTTP+JSON, many errors share its number. */
export function tellsState(call: Call): boolean {
  const reason = errorOf(call)?.reason;
  return (["TaskNotCancelable", "UnsupportedOperation"] as const).some((name) =>
    reason === undefined && call.on.binding === "HTTP+JSON" ? false : matches(call, name),
  );
}

const want = "TaskNotFoundError, as for an unknown task";

/** Checks that a caller cannot reach a task of another principal; an authorization error is fine too (AMB-33). */
function keptAway(what: string, call: Call): Finding {
  const details = answerOf(call, want);
  if (isInternal(call) || call.reply.is === "failure") {
    return crashed(`${what} on a task of another principal returns an internal error or no response`, details);
  }
  if (call.reply.is === "malformed")
    return isTurnedAway(call)
      ? holds()
      : breach("unreadable-answer", `${what} on a task of another principal gets an unreadable response`, details);
  if (!errorOf(call)) return broken(`${what} serves a task of another principal`, details);
  if (matches(call, "TaskNotFound") || isTurnedAway(call)) return holds();
  return breach("other-reason", `${what} on a task of another principal returns an error for another reason`, details);
}

const totalOf = (call: Call): number | undefined => {
  const total = asObject(resultOf(call))?.["totalSize"];
  return typeof total === "number" ? total : undefined;
};

export const othersTasks: readonly Check[] = [
  activeCheck("AUTH-011", {
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { task, after, byContext } }) {
      for (const [how, call] of [
        ["", after],
        [" by its context", byContext],
      ] as const) {
        if (call && taskIdsIn(call).includes(task.id)) {
          return broken(`ListTasks returns a task of another principal${how}`, {
            saw: `${tasksIn(call).length} tasks, including one of another principal`,
            want: "only tasks that the caller may see",
            at: call,
          });
        }
      }
      return after.reply.is === "result"
        ? holds()
        : notApplicable(`the agent does not list tasks: ${describeReply(after)}`);
    },
  }),

  activeCheck("AUTH-012", {
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: seen }) {
      const { before, after, byToken } = seen;
      const [was, is] = [totalOf(before), totalOf(after)];
      const known = taskIdsIn(before);
      // The caller created new tasks itself in the meantime.
      const own = taskIdsIn(after).filter((id) => !known.includes(id)).length;
      if (was !== undefined && is !== undefined && is - was > own && !taskIdsIn(after).includes(seen.task.id)) {
        return broken("totalSize counts tasks of other principals", {
          saw: `totalSize ${was}, then ${is} after another principal created a task`,
          want: "the number of the caller's own tasks",
          at: [after, before],
        });
      }
      if (byToken && taskIdsIn(byToken.call).some((id) => byToken.theirs.includes(id))) {
        return broken("a page token of another principal gives access to that principal's tasks", {
          want: "an error, or the caller's own tasks",
          at: byToken.call,
        });
      }
      return was === undefined || is === undefined ? notApplicable("the agent returns no totalSize") : holds();
    },
  }),

  activeCheck("AUTH-013", {
    uses: { otherPrincipalsCalls },
    judge: ({ otherPrincipalsCalls: { get } }) => keptAway("GetTask", get),
  }),

  activeCheck("AUTH-014", {
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { cancel, subscribe, still } }) {
      const findings = [keptAway("CancelTask", cancel)];
      if (subscribe && (errorOf(subscribe) || eventsOf(subscribe).length)) {
        findings.push(keptAway("SubscribeToTask", subscribe));
      }
      if (still?.state === "TASK_STATE_CANCELED") {
        findings.push(
          broken("CancelTask cancels a task of another principal", {
            saw: still.state,
            want: "a task that keeps running",
            at: cancel,
          }),
        );
      } else if (isEnded(still?.state) && !findings.some((finding) => isBreach(finding))) {
        return notExamined("prompt", "the task ended before the other principal could cancel it", slowerPrompt);
      }
      return findings;
    },
  }),

  activeCheck("AUTH-015", {
    // The rule applies to waiting and working tasks alike.
    requires: ["two-principals", "scenario:long"],
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: seen }) {
      const streamed = seen.streamed ? [keptAway("SendStreamingMessage", seen.streamed)] : [];
      return [keptAway("SendMessage", seen.message), ...streamed, ...joined(seen)];
    },
  }),

  activeCheck("AUTH-016", {
    uses: { foreignTask },
    async judge({ foreignTask: { asked, task } }, target) {
      if (!isEnded(task.state)) return notApplicable("the user's task has not ended");
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
            `the error of ${operation} reveals the state of another principal's task`,
            answerOf(call, want),
          );
        }
        // Other rules judge whether the call succeeds at all.
        return holds();
      });
    },
  }),

  activeCheck("PUSH-012", {
    requires: ["pushNotifications", "two-principals", "scenario:long"],
    uses: { otherPrincipalsCalls },
    judge({ otherPrincipalsCalls: { push } }) {
      if (push.length === 0) return notExamined("not-triggered", "no push operation was tried");
      return push.map(({ what, call }) => keptAway(what, call));
    },
  }),
];

/** Judges a message into the context of another principal. */
function joined({ joined: seen, task, byContext }: OtherPrincipalsCalls): Finding[] {
  // If all contexts are public, their lists prove nothing here.
  if (!seen || (byContext && taskIdsIn(byContext).includes(task.id))) return [];
  const made = taskIn(seen.call);
  if (made && taskIdsIn(seen.listed).includes(made.id)) {
    return [
      broken("a message of another principal creates a task in the user's context", {
        want: "an error, or a separate context",
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
        broken("a response contains the history of another principal's context", {
          want: "no messages of other principals",
          at: seen.call,
        }),
      ]
    : [];
}
