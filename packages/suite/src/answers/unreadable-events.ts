import { isObject, jsonIn } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { heldUp, type Obstacle, skipped } from "../define/obstacle.ts";
import { brief } from "./loose-json.ts";
import { strayByteIn } from "./stray-byte.ts";

/** What keeps a reader from an event of a stream. */
export interface UnreadableEvent {
  /** `framing`: readers of server-sent events do not find it; `content`: they do, and it is no answer of the binding */
  readonly in: "framing" | "content";
  readonly because: string;
  readonly saw: string;
  /** what to change, where more is known than the rule says */
  readonly remedy?: string;
  /** how many events came before it */
  readonly behind: number;
}

/** The rules that say how events are framed, and what is in them. */
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
  // Over gRPC what follows the messages is the ending of the call.
  const frames = grpc ? said.events.slice(0, grpc.messages.length) : said.events;
  const behind = frames.findIndex(({ is }) => is === "malformed");
  const frame = frames[behind];
  if (frame?.is !== "malformed") return undefined;
  const data = sse?.events[behind]?.data;
  const saw = data === undefined ? frame.because : `data: ${quoted(data)}`;
  const stray = data === undefined ? undefined : strayByteIn(data);
  const because = stray ? `byte ${stray.name} at position ${stray.at} of its data is not JSON` : frame.because;
  return {
    in: "content",
    because: `the events of a stream cannot be read: ${because}`,
    saw,
    behind,
    ...(stray && {
      remedy: `Remove byte ${stray.name} at position ${stray.at} from the data of every event. After "data: " write the JSON and nothing else.`,
    }),
  };
}

/** An event that readers of server-sent events do not find, or not as one. */
function lostEvent(
  { events, unfinished }: NonNullable<Exchange["http"]["sse"]>,
  { exchange }: Call,
): Pick<UnreadableEvent, "because" | "saw" | "behind"> | undefined {
  // Where the stream was cut off, the rest was never sent.
  const last = exchange.failure ? undefined : unfinished;
  const all = [...events.map(({ data }) => data), ...(last === undefined ? [] : [last])];
  const merged = all.findIndex(runTogether);
  if (merged >= 0)
    return {
      because: "events of a stream run together, with no blank line between them",
      saw: quoted(all[merged]!),
      behind: merged,
    };
  const ignored = ignoredLine(exchange);
  if (ignored !== undefined)
    return {
      because: "a stream has events in lines that readers of server-sent events ignore",
      saw: quoted(ignored),
      behind: 0,
    };
  if (last === undefined || !isObject(jsonIn(last))) return undefined;
  return {
    because: "the last event of a stream is not ended by a blank line, so readers drop it",
    saw: quoted(last),
    behind: events.length,
  };
}

/** The rule about framing or content holds up whatever needs to read the event. */
export function heldUpBy({ in: where, because, saw, remedy }: UnreadableEvent, call: Call): Obstacle {
  const code = where === "framing" && call.on.binding !== "GRPC" ? ({ code: "lost-events" } as const) : {};
  return heldUp(owners[call.on.binding][where], because, call, {
    saw,
    ...(remedy !== undefined && { remedy }),
    ...code,
  });
}

/**
 * Throws where a call is neither accepted nor refused: its answer came in events that cannot be read, or we hung up before there
 * was one.
 */
export function assertReadable(call: Call): void {
  if (call.reply.is === "failure" && call.reply.failure.code === "aborted")
    throw skipped("unstable", "we hung up before an answer came", "--timeout <seconds>", {
      code: "timeout",
      seconds: call.exchange.timing.end / 1_000,
    });
  const found = unreadableEvent(call);
  if (found) throw heldUpBy(found, call);
}

/** Several lines that are JSON each, and none together. */
function runTogether(data: string): boolean {
  const lines = data.split("\n");
  return lines.length > 1 && jsonIn(data) === undefined && lines.every((line) => isObject(jsonIn(line)));
}

/** What a field or a comment of server-sent events begins with. Fields of other names are legal, and ignored. */
const field = /^(?::|(?:data|event|id|retry)(?::|$))/;
/** An event whose `data:` is missing, misspelt, or stands behind something else. */
const misplaced = /^[^A-Za-z{]*(?:data:)?\s*(\{.*)$/i;

/** The first line that readers of server-sent events ignore although it holds an event. */
function ignoredLine({ failure, http }: Exchange): string | undefined {
  const lines = textOf(http.response?.body ?? new Uint8Array())
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/);
  // Where a stream was cut off, or is longer than what is kept of it, its last line is not whole.
  if (failure || http.response?.bodyTruncated) lines.pop();
  return lines.find((line) => !field.test(line) && isObject(jsonIn(misplaced.exec(line)?.[1] ?? "")));
}

/** As JSON writes a text: what cannot be seen may be what is wrong. */
const quoted = (text: string): string => brief(JSON.stringify(text));

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
