import { isLate } from "@assay/wire";
import { broken, type ExaminedProperty, notExamined, type PropertyVerdict, preserved } from "../verdict.ts";
import type { ComparedMessages, ComparedStream } from "./judge-messages.ts";
import { incomparableStreams, shown } from "./judge-messages.ts";
import { completeOf, concurrentStreams, isPartial, type LoadResults } from "./load-runs.ts";
import type { MessageOutcome, WatchedStream } from "./messages.ts";

const manyEvents = 1_000;
const idleMs = 70_000;

/** Judges load and size. The agent decides how long its streams are, so two properties depend on the message. */
export function judgeLoad(
  { big, streams: rounds }: LoadResults,
  streams: ComparedMessages<ComparedStream> | undefined,
): ReadonlyMap<string, ExaminedProperty> {
  const found = new Map<string, ExaminedProperty>([
    ["GW-BODY-SIZE", { judgement: sizeJudgement(big), passages: shown(big) }],
  ]);
  if (rounds) {
    const one = (all: readonly (readonly WatchedStream[])[]): WatchedStream[] => cutFirst(all.at(-1) ?? []).slice(0, 1);
    const last = { direct: one(rounds.direct), through: one(rounds.through) };
    found.set("GW-STREAM-CONCURRENT", { judgement: concurrentJudgement(rounds), passages: shown(last) });
  }
  if (streams) {
    const passages = shown(streams);
    found.set("GW-STREAM-MANY-EVENTS", { judgement: manyJudgement(streams), passages });
    found.set("GW-STREAM-IDLE", { judgement: idleJudgement(streams), passages });
  }
  return found;
}

const cutFirst = (round: readonly WatchedStream[]): readonly WatchedStream[] =>
  round.toSorted((a, b) => Number(a.ends) - Number(b.ends));

function sizeJudgement({ direct, through }: LoadResults["big"]): PropertyVerdict {
  const refused = direct.find(({ is }) => is !== "answered");
  if (refused) return notExamined(`the agent itself did not accept a message of 10 MB: ${answerTo(refused)}`);
  // An error of A2A comes from the agent, so the body arrived.
  if (through.some(({ is }) => is !== "failed")) return preserved;
  const late = through.find(({ exchange: { failure } }) => failure && isLate(failure));
  if (late) return notExamined(answerTo(late));
  return broken("the gateway rejects a body of 10 MB", {
    saw: answerTo(through.at(-1)!),
    want: "a task or a message, as directly",
  });
}

const answerTo = ({ exchange: { http, failure } }: MessageOutcome): string =>
  failure?.message ?? (http.response ? `HTTP ${http.response.status}` : "no response");

function concurrentJudgement({ direct, through }: NonNullable<LoadResults["streams"]>): PropertyVerdict {
  const weak = direct.find(isPartial);
  if (weak) return notExamined(`the agent itself completes only ${completeOf(weak)} of ${concurrentStreams} streams`);
  if (!through.every(isPartial)) return preserved;
  const because = incomparableStreams({ direct: direct.flat(), through: through.flat() });
  if (because !== undefined) return notExamined(because);
  return broken(`the gateway cuts some of ${concurrentStreams} streams`, {
    saw: `${completeOf(through.at(-1)!)} complete streams`,
    want: `${concurrentStreams} complete streams, as directly`,
  });
}

function manyJudgement(streams: ComparedMessages<ComparedStream>): PropertyVerdict {
  const { direct, through } = streams;
  const fewest = Math.min(...direct.map(({ at }) => at.length));
  if (fewest < manyEvents)
    return notExamined(`the agent sent ${fewest} events. Choose a message that causes 1,000 with --message`);
  if (through.some(({ at, ends }) => ends && at.length >= manyEvents)) return preserved;
  const because = incomparableStreams(streams);
  if (because !== undefined) return notExamined(because);
  const { at, ends } = through.at(-1)!;
  // An agent may generate fewer events the next time.
  if (ends) return notExamined(`the agent sent ${at.length} events behind the gateway`);
  return broken("the gateway cuts a long stream", {
    saw: `${at.length} events`,
    want: `${fewest} events, as directly`,
  });
}

const longestGap = ({ at }: ComparedStream): number => Math.max(0, ...at.map((time, n) => time - (at[n - 1] ?? 0)));

function idleJudgement(streams: ComparedMessages<ComparedStream>): PropertyVerdict {
  const { direct, through } = streams;
  const shortest = Math.min(...direct.map(longestGap));
  if (shortest < idleMs)
    return notExamined("the agent was never silent for 70 s. Choose a message that takes longer with --message");
  if (through.some((stream) => stream.ends && longestGap(stream) >= idleMs)) return preserved;
  const because = incomparableStreams(streams);
  if (because !== undefined) return notExamined(because);
  const { at, ends } = through.at(-1)!;
  if (ends) return notExamined("the agent was never silent for 70 s behind the gateway");
  return broken("the gateway cuts a silent stream", {
    saw: `${at.length} events, and no end of the task`,
    want: "events until the task rests, as directly",
  });
}
