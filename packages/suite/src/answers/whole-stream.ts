import { isTaskState } from "@assay/protocol";
import type { Arrived } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import { secondsText } from "../report/trouble.ts";
import { brief } from "./loose-json.ts";
import { eventsOf, isAtRest, type LooseEvent, looseEvent } from "./reading.ts";
import { skippedFor } from "./trouble.ts";
import { heldUpBy, unreadableEvent } from "./unreadable-events.ts";

/**
 * Names the side that ended a stream. By RFC 9112 §8, a body without length or chunks is complete when its connection
 * closes.
 */
export type StreamEnding =
  /** the server ended the response normally */
  | "closed"
  /** Assay closed the connection */
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

/** Statuses with which a gateway ends a gRPC stream when it loses the agent; it may also send none. */
const ofGateway: ReadonlySet<string | undefined> = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** Returns true if the last frame is the status of the call, and not a message. OK has no frame. */
function hasGrpcEnding({ said, exchange }: Call): boolean {
  const ending = said.is === "stream" ? said.events[exchange.http.grpc?.messages.length ?? 0] : undefined;
  return ending === undefined || (ending.is === "error" && !ofGateway.has(ending.error.grpc?.status));
}

/** Returns true if the server ended the stream normally. */
export const isClosed = (call: Call): boolean => streamEnding(call) === "closed";

/**
 * Returns the events of a stream for a check that looks for something missing. Throws if transport ended the stream
 * before its task was at rest, or if an earlier event is unreadable: the missing event may have been lost.
 */
export function wholeEvents(call: Call): readonly LooseEvent[] {
  const obstacle = incomplete(call);
  if (obstacle) throw obstacle;
  return eventsOf(call);
}

/** Returns why a missing event proves nothing; undefined if the stream is complete. */
export function incomplete(call: Call): Obstacle | undefined {
  const told = call.reply.is === "stream" ? call.reply.events.findIndex(tellsRest) : -1;
  const unreadable = unreadableEvent(call);
  if (unreadable && (told < 0 || unreadable.behind <= told)) return heldUpBy(unreadable, call);
  const misnamed = eventsOf(call).find(({ state }) => state !== undefined && !isTaskState(state));
  if (told < 0 && misnamed)
    return skipped("prerequisite", `the stream reports ${brief(misnamed.state)}, which is not a state`);
  const isCut = told < 0 && ["cut", "silent"].includes(streamEnding(call));
  return isCut ? cutOff(call) : undefined;
}

export function tellsRest(frame: Arrived): boolean {
  const event = looseEvent(frame);
  return event !== undefined && (event.is === "message" || isAtRest(event.state));
}

/** Throws if transport ended a stream, because it is unknown how the agent would have ended it. */
export function assertNotCut(call: Call): void {
  if (streamEnding(call) === "cut") throw cutOff(call);
}

function cutOff(call: Call): Obstacle {
  const { reply, exchange } = call;
  const seconds = exchange.timing.end / 1_000;
  const how = reply.is === "stream" && reply.failure ? ` (${reply.failure.message})` : "";
  const after = secondsText([seconds, seconds]);
  return streamEnding(call) === "silent"
    ? skippedFor(
        call,
        `no event arrived for too long, so Assay closed the stream after ${after}${how}`,
        "--task-timeout <seconds>",
      )
    : skippedFor(call, `the stream was cut off after ${after}${how}`);
}
