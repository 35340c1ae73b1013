import { type ClientCall, type ClientRequest, callsOf, type Situation } from "@assay/suite";
import type { CommandOutcome } from "@assay/suite/report";

/** The behaviour of a client in a situation. */
interface Behaviour {
  readonly situation: Situation;
  readonly requests: readonly ClientRequest[];
  readonly runs: readonly Pick<CommandOutcome, "exit" | "output" | "errors">[];
  /** the client prints the answers of agents, so its output counts */
  readonly prints: boolean;
}

/**
 * Returns advice for a client that copes badly with a situation. It is never a verdict: the specification has no rule
 * about it.
 */
export const adviceOn = (behaviour: Behaviour): readonly string[] =>
  textsOn(behaviour).map((text) => `advice (${behaviour.situation.id}): ${text}`);

function textsOn(behaviour: Behaviour): readonly string[] {
  const { situation, requests } = behaviour;
  const calls = callsOf(requests);
  if (situation.id === "foreign-interface") return onForeignHost(calls);
  if (situation.id === "follow") return onPace(calls.filter(({ operation }) => operation === "GetTask"));
  if (situation.id === "dropped") return onLostStream(behaviour);
  if (situation.reason !== undefined) return calls.length ? onReason(situation.reason, behaviour) : [];
  const hit = calls.findIndex(({ exchange }) => exchange.faults);
  if (hit < 0) return [];
  const later = calls.slice(hit + 1);
  switch (situation.id) {
    case "rate-limited":
      return afterLimit(calls[hit]!, later);
    case "no-second-stream":
      return later.some(({ operation }) => operation === "GetTask")
        ? []
        : ["after a lost stream and a failed SubscribeToTask, read the task with GetTask"];
    default:
      return [];
  }
}

/** The agent asks for one second. A client that waits for most of it has read the header. */
const leastMs = 900;

function afterLimit(limited: ClientCall, [next]: readonly ClientCall[]): readonly string[] {
  if (!next) return ["after 429, repeat the request when the time in Retry-After is over"];
  const { startedAt, end } = limited.exchange.timing;
  const waited = Math.round(Date.parse(next.exchange.timing.startedAt) - Date.parse(startedAt) - end);
  return waited < leastMs
    ? [`wait for the time in Retry-After (1 s) before the next request; the client waited ${Math.max(waited, 0)} ms`]
    : [];
}

/** All interfaces of the card are on another host than the card, which anyone may have written. */
const onForeignHost = (calls: readonly ClientCall[]): readonly string[] =>
  calls.some(({ exchange }) => exchange.http.request.headers.some(([name]) => name.toLowerCase() === "authorization"))
    ? [
        "the client sends its token to a host that only the card names; ask the user first, or bind each token to its host",
      ]
    : [];

/** A client that asks again this soon after a response does not pause. */
const hurriedMs = 20;

/** Some polls may follow each other closely, for example at the start of a growing pause. */
const mostHurried = 4;

function onPace(polls: readonly ClientCall[]): readonly string[] {
  const hurried = polls.filter(({ exchange }, index) => {
    const before = polls[index - 1]?.exchange.timing;
    return before && Date.parse(exchange.timing.startedAt) - Date.parse(before.startedAt) - before.end < hurriedMs;
  });
  return hurried.length > mostHurried
    ? [`wait between two calls of GetTask; the client polls ${polls.length} times without a pause`]
    : [];
}

/** The specification does not say that a client must notice a lost stream. Its user takes silence for success. */
function onLostStream({ situation, requests, runs, prints }: Behaviour): readonly string[] {
  const isStreamed = callsOf(requests).some(({ operation }) => operation === "SendStreamingMessage");
  const isSilent = runs.every(
    ({ exit, output, errors }) => exit === 0 && errors === "" && !output.includes(situation.answer![0]!),
  );
  return prints && isStreamed && runs.length && isSilent
    ? [
        "after a lost stream, read the task with GetTask or report an error; the client ends with exit code 0 and without the result",
      ]
    : [];
}

/** A client may report the state of a task, and hide from its user why the agent did not do it. */
function onReason(reason: string, { runs, prints }: Behaviour): readonly string[] {
  const isShown = runs.some(({ output, errors }) => `${output}\n${errors}`.includes(reason));
  return prints && runs.length && !isShown ? [`show the user the reason of the agent: "${reason}"`] : [];
}
