import { isObject, jsonIn } from "@assay/protocol";
import { type Exchange, textOf } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { heldUp, type Obstacle, skipped } from "../define/obstacle.ts";
import { brief } from "./loose-json.ts";

/** Finds the one byte that makes a text invalid JSON. Positions count from 0. */
export function strayByteIn(data: string): { readonly name: string; readonly at: number } | undefined {
  if (isJson(data)) return undefined;
  const [first, last] = [data.search(/[{[]/), Math.max(data.lastIndexOf("}"), data.lastIndexOf("]"))];
  const inside = first < 0 ? "" : data.slice(first, last + 1);
  const control = data.search(/[\0-\x1f]/);
  const index = isJson(inside) ? (first > 0 ? 0 : last + 1) : control;
  const rest = Buffer.from(index < 0 ? "" : data.slice(index));
  if (rest[0] === undefined) return undefined;
  return {
    name: `0x${rest[0].toString(16).toUpperCase().padStart(2, "0")}`,
    at: Buffer.byteLength(data.slice(0, index)),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An event of a stream that clients cannot read. */
interface UnreadableEvent {
  /** `framing`: SSE readers do not find the event; `content`: they do, but it is not a response of the binding */
  readonly in: "framing" | "content";
  readonly because: string;
  readonly saw: string;
  /** fix, if more is known than the rule says */
  readonly remedy?: string;
  /** number of events before it */
  readonly behind: number;
}

/** The rules about the framing and the content of events. */
const owners = {
  JSONRPC: { framing: "JSONRPC-018", content: "JSONRPC-017" },
  "HTTP+JSON": { framing: "REST-037", content: "REST-033" },
  GRPC: { framing: "GRPC-004", content: "GRPC-004" },
} as const;

/** Returns the first event of a stream that cannot be read; undefined where all can. */
export function unreadableEvent(call: Call): UnreadableEvent | undefined {
  const { said, exchange } = call;
  const { sse, grpc } = exchange.http;
  const lost = sse && lostEvent(sse, call);
  if (lost) return { in: "framing", ...lost };
  if (said.is !== "stream") return undefined;
  // Over gRPC, the frames after the messages are the status of the call.
  const frames = grpc ? said.events.slice(0, grpc.messages.length) : said.events;
  const behind = frames.findIndex(({ is }) => is === "malformed");
  const frame = frames[behind];
  if (frame?.is !== "malformed") return undefined;
  const data = sse?.events[behind]?.data;
  const saw = data === undefined ? frame.because : `data: ${quoted(data)}`;
  const stray = data === undefined ? undefined : strayByteIn(data);
  const because = stray
    ? `byte ${stray.name} at position ${stray.at} of its data makes the JSON invalid`
    : frame.because;
  return {
    in: "content",
    because: `the stream has an unreadable event: ${because}`,
    saw,
    behind,
    ...(stray && {
      remedy: `Remove byte ${stray.name} at position ${stray.at} from the data of every event. After "data: " write the JSON and nothing else.`,
    }),
  };
}

/** Finds an event that SSE readers miss, or merge with another. */
function lostEvent(
  { events, unfinished }: NonNullable<Exchange["http"]["sse"]>,
  { exchange }: Call,
): Pick<UnreadableEvent, "because" | "saw" | "behind"> | undefined {
  // If the stream was cut off, its last line is incomplete and proves nothing.
  const last = exchange.failure ? undefined : unfinished;
  const all = [...events.map(({ data }) => data), ...(last === undefined ? [] : [last])];
  const merged = all.findIndex(runTogether);
  if (merged >= 0)
    return {
      because: "the stream has no blank line between two events",
      saw: quoted(all[merged]!),
      behind: merged,
    };
  const ignored = ignoredLine(exchange);
  if (ignored !== undefined)
    return {
      because: "the stream has events in lines that SSE readers ignore",
      saw: quoted(ignored),
      behind: 0,
    };
  if (last === undefined || !isObject(jsonIn(last))) return undefined;
  return {
    because: "the last event of the stream has no blank line after it, so readers drop it",
    saw: quoted(last),
    behind: events.length,
  };
}

/** Blocks every rule that has to read the event, with the rule about framing or content as the cause. */
export function heldUpBy({ in: where, because, saw, remedy }: UnreadableEvent, call: Call): Obstacle {
  const code = where === "framing" && call.on.binding !== "GRPC" ? ({ code: "lost-events" } as const) : {};
  return heldUp(owners[call.on.binding][where], because, call, {
    saw,
    ...(remedy !== undefined && { remedy }),
    ...code,
  });
}

/**
 * Throws if it is unknown whether a call succeeded: its events are unreadable, or Assay closed the connection before a
 * response.
 */
export function assertReadable(call: Call): void {
  if (call.reply.is === "failure" && call.reply.failure.code === "aborted")
    throw skipped("unstable", "Assay closed the connection before a response arrived", "--timeout <seconds>", {
      code: "timeout",
      seconds: call.exchange.timing.end / 1_000,
    });
  const found = unreadableEvent(call);
  if (found) throw heldUpBy(found, call);
}

/** Returns true if each line is JSON, but all lines together are not. */
function runTogether(data: string): boolean {
  const lines = data.split("\n");
  return lines.length > 1 && jsonIn(data) === undefined && lines.every((line) => isObject(jsonIn(line)));
}

/** The start of an SSE field or comment. Fields with other names are legal, and readers ignore them. */
const field = /^(?::|(?:data|event|id|retry)(?::|$))/;
/** An event whose `data:` is missing, misspelt or preceded by something else. */
const misplaced = /^[^A-Za-z{]*(?:data:)?\s*(\{.*)$/i;

/** Finds the first line that contains an event, but that SSE readers ignore. */
function ignoredLine({ failure, http }: Exchange): string | undefined {
  const lines = textOf(http.response?.body ?? new Uint8Array())
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/);
  // If the stream was cut off or truncated, its last line is incomplete.
  if (failure || http.response?.bodyTruncated) lines.pop();
  return lines.find((line) => !field.test(line) && isObject(jsonIn(misplaced.exec(line)?.[1] ?? "")));
}

/** Quotes a text as JSON, because an invisible character may be the fault. */
const quoted = (text: string): string => brief(JSON.stringify(text));
