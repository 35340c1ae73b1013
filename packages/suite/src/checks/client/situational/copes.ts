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
    title: "a task and a message are both understood as answers",
    remedy: "Look which of `task` and `message` the answer has before its members are read.",
    in: ["send", "task"],
    with: "an answer that is a task or a message",
  }),
  copes({
    id: "STREAM-026",
    title: "events are told apart by their member, and a stream is over when it closes",
    remedy:
      "Look which of task, message, statusUpdate and artifactUpdate an event has, and take the end of the stream for the end: there is no kind and no final.",
    in: ["stream"],
    byStream: true,
    with: "a stream without kind and final",
  }),
  copes({
    id: "JSONRPC-028",
    title: "server-sent events are parsed as their standard has it",
    remedy:
      "Read the stream with a parser of server-sent events: comments, CR LF, several data lines, events across network chunks.",
    in: ["odd-events"],
    byStream: true,
    with: "server-sent events as the standard allows them",
  }),
  copes({
    id: "STREAM-027",
    title: "artifacts are put together by their id",
    remedy:
      "Keep artifacts by artifactId: append adds parts to the one that is held, otherwise the event sets it anew.",
    in: ["chunks"],
    byStream: true,
    with: "chunks of two artifacts in turns",
    excuse: printsChunks,
  }),
  copes({
    id: "DATA-010",
    title: "times are read whatever their precision",
    remedy: "Read timestamps of RFC 3339 with any number of digits behind the point.",
    in: ["times"],
    with: "times of nine digits behind the point",
  }),
  copes({
    id: "DATA-035",
    title: "parts of every kind are understood",
    remedy: "Look which of text, raw, url and data a part has before it is read; pass over what cannot be used.",
    in: ["parts"],
    with: "parts of every kind",
  }),
  copes({
    id: "LEG-006",
    title: "the members of 1.0 are used, whatever older ones stand beside them",
    remedy: "Take the address from supportedInterfaces: url and preferredTransport are leftovers of 0.3.",
    in: ["legacy-card"],
    with: "a card that has members of 0.3 besides",
  }),
  copes({
    id: "DATA-015",
    title: "unknown members are ignored",
    remedy: "Ignore members that the model does not know, in cards, answers and events.",
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
  title: "errors are told apart by their code or reason",
  remedy:
    "Map errors by the JSON-RPC code or ErrorInfo.reason, not by the HTTP status alone, and tell which one it was.",
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
