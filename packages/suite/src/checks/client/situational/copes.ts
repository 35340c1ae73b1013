import { isStreaming } from "@assay/protocol";
import { accomplished } from "../../../client/accomplished.ts";
import { callsOf } from "../../../client/client-request.ts";
import { type SituationCheck, type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { broken, type Finding, holds, notExamined } from "../../../define/finding.ts";

interface Coping extends Omit<SituationCheck, "kind" | "judge"> {
  readonly with: string;
  /** only streams show it: a client that asks without one shows nothing */
  readonly byStream?: boolean;
  /** what a client may do that looks as if it did not cope */
  readonly excuse?: (seen: SituationSeen) => Finding | undefined;
}

/** A client that does what it is asked for in a situation, as it does without what is particular about it. */
const copes = ({ with: what, byStream, excuse, ...declared }: Coping): SituationCheck =>
  situationCheck({
    ...declared,
    judge(seen) {
      const calls = callsOf(seen.requests);
      // A client that was refused something, for whichever fault of its request, ends as it should.
      if (calls.some(({ reply }) => reply.is === "error")) return undefined;
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

/** One that prints every chunk as it comes, which is what streams are for, may well put them together. */
function printsChunks({ situation, runs }: SituationSeen): Finding | undefined {
  const printed = runs.map(({ output }) => output).join("\n");
  const pieces = (situation.answer ?? []).flatMap((text) => text.split(/(?=-)/));
  return pieces.every((piece) => printed.includes(piece))
    ? notExamined(
        "not-triggered",
        "the client prints every chunk as it comes: whether it puts them together is not seen",
      )
    : undefined;
}

export const copingChecks: readonly SituationCheck[] = [
  copes({
    id: "SEND-023",
    in: ["send", "task"],
    with: "an answer that is a task or a message",
  }),
  copes({
    id: "STREAM-026",
    in: ["stream"],
    byStream: true,
    with: "a stream without kind and final",
  }),
  copes({
    id: "JSONRPC-028",
    in: ["odd-events"],
    byStream: true,
    with: "server-sent events as the standard allows them",
  }),
  copes({
    id: "STREAM-027",
    in: ["chunks"],
    byStream: true,
    with: "chunks of two artifacts in turns",
    excuse: printsChunks,
  }),
  copes({
    id: "DATA-010",
    in: ["times"],
    with: "times of nine digits behind the point",
  }),
  copes({
    id: "DATA-035",
    in: ["parts"],
    with: "parts of every kind",
  }),
  copes({
    id: "LEG-006",
    in: ["legacy-card"],
    with: "a card that has members of 0.3 besides",
  }),
  copes({
    id: "DATA-015",
    in: ["unknown-members"],
    with: "members that it does not know",
  }),
];

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
    if (tells(seen)) return holds(undefined, at);
    return broken(`${task} is told as a success`, {
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
  in: ["cancel-refused"],
  judge(seen) {
    const refused = callsOf(seen.requests).filter(({ operation }) => operation === "CancelTask");
    if (!refused.length) return undefined;
    if (!seen.runs.length) return notWatched;
    const at = refused.map(({ exchange }) => exchange);
    if (namesIt.test(told(seen))) return holds(undefined, at);
    return broken("that a task cannot be cancelled is not told from other errors", {
      saw: told(seen).trim().slice(0, 200) || "no output",
      want: "the code, the reason or the name of TaskNotCancelableError",
      at,
    });
  },
});

/** A client that tells its user of an ending that is no success. */
export const surfacingChecks: readonly SituationCheck[] = [noFalseSuccess, tellsErrorsApart];
