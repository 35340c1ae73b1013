import type { Arrived } from "@assay/wire";
import type { Call } from "../define/call.ts";
import type { Obstacle } from "../define/obstacle.ts";
import { secondsText } from "../report/trouble.ts";
import { eventsOf, isAtRest, type LooseEvent, looseEvent } from "./reading.ts";
import { skippedFor } from "./trouble.ts";
import { heldUpBy, unreadableEvent } from "./unreadable-events.ts";

/**
 * Who ended a stream. HTTP takes a body without length or chunks for complete when its connection closes (RFC 9112 §8),
 * and so do we.
 */
export type StreamEnding =
  /** the server ended the response in good order */
  | "closed"
  /** we hung up */
  | "left"
  /** nothing arrived in time */
  | "silent"
  /** the network or a gateway: a reset, an early close, an aborted body, GOAWAY, RST_STREAM */
  | "cut";

export function streamEnding(call: Call): StreamEnding {
  const { reply } = call;
  if (reply.is !== "stream") return "closed";
  const { failure } = reply;
  if (!failure) return call.on.binding === "GRPC" && !hasGrpcEnding(call) ? "cut" : "closed";
  switch (failure.code) {
    case "aborted":
      return "left";
    case "timeout-idle":
    case "timeout-total":
      return "silent";
    default:
      return "cut";
  }
}

/** A gateway that loses the agent ends a gRPC stream without a status, or with one of these. */
const ofGateway: ReadonlySet<string | undefined> = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** What follows the messages is how the call ended, unless that was OK. */
function hasGrpcEnding({ said, exchange }: Call): boolean {
  const ending = said.is === "stream" ? said.events[exchange.http.grpc?.messages.length ?? 0] : undefined;
  return ending === undefined || (ending.is === "error" && !ofGateway.has(ending.error.grpc?.status));
}

/** The server ended the stream in good order. */
export const isClosed = (call: Call): boolean => streamEnding(call) === "closed";

/**
 * Returns the events of a stream to whoever looks for something that is missing in it. Throws where transport ended the
 * stream before its task was at rest, or where an event before that cannot be read: nothing is known to be missing then.
 */
export function wholeEvents(call: Call): readonly LooseEvent[] {
  const obstacle = incomplete(call);
  if (obstacle) throw obstacle;
  return eventsOf(call);
}

/** Why it cannot be said what a stream lacks; undefined where it is whole. */
export function incomplete(call: Call): Obstacle | undefined {
  const told = call.reply.is === "stream" ? call.reply.events.findIndex(tellsRest) : -1;
  const unreadable = unreadableEvent(call);
  if (unreadable && (told < 0 || unreadable.behind <= told)) return heldUpBy(unreadable, call);
  const isCut = told < 0 && ["cut", "silent"].includes(streamEnding(call));
  return isCut ? cutOff(call) : undefined;
}

export function tellsRest(frame: Arrived): boolean {
  const event = looseEvent(frame);
  return event !== undefined && (event.is === "message" || isAtRest(event.state));
}

/** Throws where transport ended a stream: how the agent would have closed it is not known, whatever it told before. */
export function assertNotCut(call: Call): void {
  if (streamEnding(call) === "cut") throw cutOff(call);
}

function cutOff(call: Call): Obstacle {
  const { reply, exchange } = call;
  const seconds = exchange.timing.end / 1_000;
  const how = reply.is === "stream" && reply.failure ? ` (${reply.failure.message})` : "";
  const after = secondsText([seconds, seconds]);
  return streamEnding(call) === "silent"
    ? skippedFor(call, `the stream fell silent, and we closed it after ${after}${how}`, "--task-timeout <seconds>")
    : skippedFor(call, `the stream was cut off after ${after}${how}`);
}
