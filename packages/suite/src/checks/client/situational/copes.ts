import { isStreaming } from "@assay/protocol";
import { accomplished } from "../../../client/accomplished.ts";
import { callsOf, isAccepted } from "../../../client/client-request.ts";
import { type SituationCheck, type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { broken, type Finding, holds, notExamined } from "../../../define/finding.ts";

interface Coping {
  /** only a stream shows it, so a client that does not stream is not judged */
  readonly byStream?: boolean;
  /** the card alone shows it, so a client that gives up before its first call is judged too */
  readonly byCard?: boolean;
  /** valid behaviour of a client that looks like a failure */
  readonly excuse?: (seen: SituationSeen) => Finding | undefined;
}

/** Checks that a client does its task in a situation, as it does without the special condition. */
const copes = (
  id: string,
  situations: SituationCheck["in"],
  what: string,
  { byStream, byCard, excuse }: Coping = {},
): SituationCheck =>
  situationCheck(id, {
    in: situations,
    judge(seen) {
      const calls = callsOf(seen.requests);
      // A client that ends after an error response behaves correctly.
      if (calls.some(({ reply }) => reply.is === "error")) return undefined;
      // Without a result of the agent, the client had nothing to cope with.
      if (!(byCard && !calls.length) && !calls.some(isAccepted)) return undefined;
      if (byStream && !calls.some(({ operation }) => operation && isStreaming(operation))) return undefined;
      const at = calls.slice(-3).map(({ exchange }) => exchange);
      const done = accomplished(seen);
      const open = done.is ? undefined : excuse?.(seen);
      if (open) return open;
      if (done.is) return calls.length ? holds(undefined, at) : undefined;
      return broken(`faced with ${what}, the client ${done.because}`, {
        saw: done.saw,
        want: seen.situation.answer ? `output with "${seen.situation.answer.join('", "')}"` : "exit code 0",
        at,
      });
    },
  });

/** A client that prints every chunk as it arrives may still assemble them. */
function printsChunks({ situation, runs }: SituationSeen): Finding | undefined {
  const printed = runs.map(({ output }) => output).join("\n");
  const pieces = (situation.answer ?? []).flatMap((text) => text.split(/(?=-)/));
  return pieces.every((piece) => printed.includes(piece))
    ? notExamined("not-triggered", "the client prints every chunk as it arrives, so it is unknown if it assembles them")
    : undefined;
}

export const copingChecks: readonly SituationCheck[] = [
  copes("SEND-023", ["send", "task"], "a response that is a task or a message"),
  copes("STREAM-026", ["stream"], "a stream without kind and final", { byStream: true }),
  copes("JSONRPC-028", ["odd-events"], "server-sent events as the standard allows them", { byStream: true }),
  copes("STREAM-027", ["chunks"], "alternating chunks of two artifacts", { byStream: true, excuse: printsChunks }),
  copes("DATA-010", ["times"], "times with nine fractional digits"),
  copes("DATA-035", ["parts"], "parts of every kind"),
  copes("LEG-006", ["legacy-card"], "a card with additional members of 0.3", { byCard: true }),
  copes("DATA-015", ["unknown-members"], "unknown members", { byCard: true }),
];

/** Words that report a failure of any kind. */
const toldInWords =
  /fail|error|reject|cancel|refus|unable|cannot|could not|denied|unsupported|not supported|invalid|exception|required|warn/i;

/** Returns true if a program reported a failure: by its exit code, on the error stream, or in words. */
export const tells = ({ runs }: Pick<SituationSeen, "runs">): boolean =>
  runs.some(({ exit, errors, output }) => exit !== 0 || errors.trim() !== "" || toldInWords.test(output));

const told = ({ runs }: Pick<SituationSeen, "runs">): string =>
  runs.map(({ output, errors }) => `${output}\n${errors}`).join("\n");

const notWatched = notExamined("not-triggered", "Assay did not run the client, so its output is unknown");

/** The final state of the task in each situation. */
const endings: Readonly<Record<string, string>> = {
  failed: "a task that failed",
  rejected: "a task that was rejected",
  "asks-back": "a task that waits for input",
};

export const noFalseSuccess = situationCheck("LIFE-012", {
  in: ["failed", "rejected", "asks-back"],
  judge(seen) {
    const { situation, requests, runs, ended } = seen;
    const calls = callsOf(requests);
    if (!calls.length) return undefined;
    const at = calls.slice(-3).map(({ exchange }) => exchange);
    const task = endings[situation.id];
    if (ended === "time-over")
      return broken(`the client does not end after ${task}`, {
        saw: `${calls.length} calls`,
        want: "the client ends",
        at,
      });
    if (!runs.length) return notWatched;
    if (tells(seen)) return holds(undefined, at);
    return broken(`the client reports ${task} as a success`, {
      saw: runs.at(-1)?.output.trim().slice(0, 200) || "exit code 0, and no output",
      want: "another exit code, or an error in the output",
      at,
    });
  },
});

/** Text that identifies this error: its code, its reason, or its subject. */
const namesIt = /-32002|cancel/i;

export const tellsErrorsApart = situationCheck("ERR-030", {
  in: ["cancel-refused"],
  judge(seen) {
    const refused = callsOf(seen.requests).filter(({ operation }) => operation === "CancelTask");
    if (!refused.length) return undefined;
    if (!seen.runs.length) return notWatched;
    const at = refused.map(({ exchange }) => exchange);
    if (namesIt.test(told(seen))) return holds(undefined, at);
    return broken("the client does not distinguish TaskNotCancelableError from other errors", {
      saw: told(seen).trim().slice(0, 200) || "no output",
      want: "the code, the reason or the name of TaskNotCancelableError",
      at,
    });
  },
});
