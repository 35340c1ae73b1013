import { callsOf } from "../../../client/client-request.ts";
import { type SituationCheck, type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { broken, holds, notExamined } from "../../../define/finding.ts";

/** Words in which a program tells that something did not go well, whatever they are about. */
const toldInWords =
  /fail|error|reject|cancel|refus|unable|cannot|could not|denied|unsupported|not supported|invalid|exception|required|warn/i;

/** Whether a program told that something did not go well: by its exit code, on the error stream, or in words. */
export const tells = ({ runs }: Pick<SituationSeen, "runs">): boolean =>
  runs.some(({ exit, errors, output }) => exit !== 0 || errors.trim() !== "" || toldInWords.test(output));

const told = ({ runs }: Pick<SituationSeen, "runs">): string =>
  runs.map(({ output, errors }) => `${output}\n${errors}`).join("\n");

const notWatched = notExamined("not-triggered", "how the client told it is not known: no command of ours ran it");

/** How each of these situations leaves its task. */
const endings: Readonly<Record<string, string>> = {
  failed: "a task that failed",
  rejected: "a task that was rejected",
  "asks-back": "a task that waits for input",
};

const noFalseSuccess = situationCheck({
  id: "LIFE-012",
  title: "a task that did not succeed is not told as a success",
  remedy:
    "Look at the state of the task before it is told as done: FAILED, REJECTED and CANCELED are no success, INPUT_REQUIRED and AUTH_REQUIRED no end.",
  in: ["failed", "rejected", "asks-back"],
  judge(seen) {
    const { situation, requests, runs, ended } = seen;
    const calls = callsOf(requests);
    if (!calls.length) return undefined;
    const at = calls.slice(-3).map(({ exchange }) => exchange);
    const task = endings[situation.id];
    if (ended === "time-over")
      return broken(`the client did not come to an end after ${task}`, {
        saw: `${calls.length} calls`,
        want: "an end",
        at,
      });
    if (!runs.length) return notWatched;
    return tells(seen)
      ? holds(undefined, at)
      : broken(`${task} is told as a success`, {
          saw: runs.at(-1)?.output.trim().slice(0, 200) || "exit code 0, and no output",
          want: "another exit code, or words that tell",
          at,
        });
  },
});

/** By any of these a user can tell this error from others: its code, its reason, or what it is about. */
const namesIt = /-32002|cancel/i;

const tellsErrorsApart = situationCheck({
  id: "ERR-030",
  title: "errors are told apart by their code or reason",
  remedy:
    "Map errors by the JSON-RPC code or ErrorInfo.reason, not by the HTTP status alone, and tell which one it was.",
  in: ["cancel-refused"],
  judge(seen) {
    const refused = callsOf(seen.requests).filter(({ operation }) => operation === "CancelTask");
    if (!refused.length) return undefined;
    if (!seen.runs.length) return notWatched;
    const at = refused.map(({ exchange }) => exchange);
    return namesIt.test(told(seen))
      ? holds(undefined, at)
      : broken("that a task cannot be cancelled is not told from other errors", {
          saw: told(seen).trim().slice(0, 200) || "no output",
          want: "the code, the reason or the name of TaskNotCancelableError",
          at,
        });
  },
});

/** A client that tells its user of an ending that is no success. */
export const surfacingChecks: readonly SituationCheck[] = [noFalseSuccess, tellsErrorsApart];
