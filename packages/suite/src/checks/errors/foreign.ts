import { brief, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { type ForeignTask, foreignTask } from "../../observations/foreign-task.ts";

type Asked = ForeignTask["asked"][number];

/** What an answer says, without what differs between any two answers: ids, times, numbers of requests. */
function told(call: Call, { task, unknownId }: ForeignTask): string {
  const error = errorOf(call);
  if (!error) return describeReply(call);
  const { message, http, code, grpc, details } = error;
  return JSON.stringify({ http, code, grpc, message, details })
    .replaceAll(task.id, "<id>")
    .replaceAll(unknownId, "<id>")
    .replaceAll(/\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "<number>");
}

const foreignLooksUnknown = activeCheck({
  id: "ERR-008",
  title: "an error does not tell what is not yours from what does not exist",
  remedy: "Answer a task of another principal exactly as one that does not exist: the same code, message and details.",
  uses: { foreignTask },
  judge({ foreignTask: seen }) {
    const refused = seen.asked.filter(({ foreign }) => errorOf(foreign));
    if (!refused.length) return notApplicable("no operation on a task of another principal was refused");
    const findings = refused.map(({ operation, foreign, unknown }): Finding => {
      if (told(foreign, seen) === told(unknown, seen)) return holds();
      return broken(`${operation} answers a task of another principal in another way than one that does not exist`, {
        saw: `${describeReply(foreign)}, and for an unknown id ${describeReply(unknown)}`,
        want: "the same error for both",
        at: [foreign, unknown],
      });
    });
    return findings;
  },
});

/** Words that say that the thing is there, or whose it is. */
const betraying =
  /\b(belongs? to|owned by|owner|another (?:user|principal|caller|client|account|tenant)|(?:other|different) (?:user|principal|account|tenant)|not yours|does exist|already exists|TASK_STATE_[A-Z]+)\b/i;

const foreignIsNotRevealed = activeCheck({
  id: "ERR-009",
  title: "a caller does not learn that a task exists which it may not see",
  remedy: "Answer a task of another principal as one that does not exist, without its owner, state or content.",
  uses: { foreignTask },
  judge: ({ foreignTask: seen }) => seen.asked.map((one) => judgeRevealed(one, seen)),
});

function judgeRevealed({ operation, foreign, unknown }: Asked, seen: ForeignTask): Finding {
  const want = "the answer for a task that does not exist";
  const error = errorOf(foreign);
  const details = { saw: describeReply(foreign), want, at: foreign };
  if (!error) {
    const isShown = foreign.reply.is === "result" && JSON.stringify(foreign.reply.json).includes(seen.task.id);
    return isShown ? broken(`${operation} shows a task of another principal`, details) : holds();
  }
  // Who says the same about what does not exist has revealed nothing.
  if (told(foreign, seen) === told(unknown, seen)) return holds();
  const words = `${error.message} ${JSON.stringify(error.details)}`;
  const context = seen.task.contextId;
  if (context !== undefined && context !== seen.task.id && words.includes(context))
    return broken(`the error of ${operation} names the context of a task of another principal`, details);
  const found = betraying.exec(words);
  if (found && !betraying.test(errorOf(unknown)?.message ?? ""))
    return broken(`the error of ${operation} reveals that a task of another principal exists`, {
      ...details,
      saw: brief(error.message),
    });
  return holds();
}

export const foreignChecks = [foreignLooksUnknown, foreignIsNotRevealed];
