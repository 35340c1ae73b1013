import { troubleJson } from "@assay/library/connection";
import type { AnswerOf, RequestOf, StreamingOperation, UnaryOperation } from "@assay/protocol";
import { contactTrouble, type Exchange, type FailureCode, type PeerTrouble } from "@assay/wire";
import { type ExitCode, exitCodes } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import { createTimeline, type Timeline } from "../terminal/timeline.ts";
import type { Talk } from "./talk.ts";
import { contactExitOf, exitOf, troubleText } from "./trouble.ts";

/**
 * Makes one call and shows its response or its failure. It masks before it cuts, so that no part of a secret is left.
 */
export async function ask<O extends UnaryOperation>(
  talk: Talk,
  operation: O,
  request: RequestOf<O>,
  show: (answer: AnswerOf<O>, timeline: Timeline, at: number) => void,
  /** receives the unmodified response */
  learn: (answer: AnswerOf<O>) => void = () => {},
): Promise<ExitCode> {
  const { peer, screen, json, signal, connection } = talk;
  const answer = await peer.call(operation, request, signal);
  if (signal.aborted) return exitCodes.interrupted;
  const timeline = createTimeline(screen);
  const at = answer.exchange.timing.end;
  if (answer.is !== "value") return tellTrouble(talk, answer, answer.exchange, { at, timeline });
  learn(answer.value);
  if (json) screen.json(answer.value);
  else show(connection.mask.value(answer.value), timeline, at);
  return exitCodes.fine;
}

/** Opens a stream and shows its events as they arrive. */
export async function follow<O extends StreamingOperation>(
  talk: Talk,
  operation: O,
  request: RequestOf<O>,
): Promise<ExitCode> {
  const { peer, connection, screen, json, signal } = talk;
  const timeline = createTimeline(screen);
  const stream = await peer.stream(operation, request, signal);
  let events = 0;
  let bytes = 0;
  let code: ExitCode = exitCodes.fine;
  for await (const event of stream.events) {
    if (event.is !== "value") {
      stream.close();
      // Earlier events prove that the agent was reached, so a wrong address or login cannot be the cause.
      const exchange = events === 0 ? await stream.finished : undefined;
      code = await tellTrouble(talk, event, exchange, { at: event.at, timeline });
      break;
    }
    events++;
    bytes += event.bytes;
    if (json) screen.json(event.value);
    else timeline.event(event.at, connection.mask.value(event.value));
  }
  stream.close();
  const { timing, failure } = await stream.finished;
  if (!json && events > 0 && !signal.aborted) {
    const ending = !failure ? "closed by the server" : ours.has(failure.code) ? "closed by Assay" : "aborted";
    screen.line(
      `stream ${ending} after ${Math.round(timing.end)} ms, ${events} ${events === 1 ? "event" : "events"}, ${(bytes / 1000).toFixed(1)} kB`,
    );
  }
  return code;
}

/** Prints a failure. Without an exchange, the agent itself sent the error. */
async function tellTrouble(
  talk: Talk,
  trouble: PeerTrouble,
  exchange: Exchange | undefined,
  { at, timeline }: { readonly at: number; readonly timeline: Timeline },
): Promise<ExitCode> {
  const { screen, json, peer, chosen, connection } = talk;
  const contact = { peer, chosen, http: connection.clients.http, headers: connection.headers };
  const found = exchange && (await contactTrouble(trouble, exchange, contact));
  if (json) screen.json(troubleJson(trouble));
  else timeline.trouble(at, found ? escapeText(found.message) : troubleText(trouble, chosen, connection.mask));
  if (!json && found) screen.line(escapeText(found.hint));
  return found ? contactExitOf(found) : exitOf(trouble);
}

/** Failures with which Assay itself ends a stream: a limit, or an unreadable event. */
const ours: ReadonlySet<FailureCode> = new Set([
  "aborted",
  "timeout-idle",
  "timeout-total",
  "too-large",
  "too-many-events",
]);
