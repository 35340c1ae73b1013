import { createParser } from "eventsource-parser";
import type { Failure, FailureCode, SseEvent, SseRecord } from "../recording/exchange.ts";
import { fail } from "./failure.ts";

interface SseReaderOptions {
  /** Milliseconds since the request started. */
  readonly clock: () => number;
  readonly maxEvents: number;
  /** Characters of one event, complete or not. */
  readonly maxEventSize: number;
  onEvent(event: SseEvent): void;
  /** Called once; nothing is read after it. */
  onOverflow(failure: Failure): void;
}

interface SseReader {
  feed(bytes: Uint8Array): void;
  /** Ends the stream and returns its record. Only a stream that ran to its end can have a faulty end. */
  end(options: { readonly complete: boolean }): SseRecord;
}

/** Reads server-sent events from bytes that may be split anywhere, even inside a character or a line end. */
export function createSseReader({ clock, maxEvents, maxEventSize, onEvent, onOverflow }: SseReaderOptions): SseReader {
  const events: SseEvent[] = [];
  const toText = new TextDecoder();
  const utf8 = createUtf8Check();
  const toLf = createLineEndFolder();
  let comments = 0;
  let state: "reading" | "probing" | "over" = "reading";
  let unfinished: string | undefined;

  const overflow = (code: FailureCode, message: string): void => {
    if (state !== "reading") return;
    state = "over";
    onOverflow(fail(code, message));
  };

  const parser = createParser({
    maxBufferSize: maxEventSize,
    onEvent({ event, id, data }) {
      if (state === "probing") unfinished = data;
      if (state !== "reading") return;
      if (data.length > maxEventSize) return overflow("too-large", `one event exceeds ${maxEventSize} characters`);
      if (events.length === maxEvents) return overflow("too-many-events", `more than ${maxEvents} events arrived`);
      const read = { at: clock(), ...(event !== undefined && { event }), ...(id !== undefined && { id }), data };
      events.push(read);
      onEvent(read);
    },
    onComment() {
      if (state === "reading") comments += 1;
    },
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") overflow("too-large", `one event exceeds ${maxEventSize} characters`);
    },
  });

  return {
    feed(bytes) {
      if (state !== "reading") return;
      utf8.feed(bytes);
      parser.feed(toLf(toText.decode(bytes, { stream: true })));
    },
    end({ complete }) {
      if (state === "reading" && complete) {
        const rest = toLf(toText.decode());
        state = "probing";
        // The missing blank line reveals an unfinished event.
        parser.feed(`${rest}\n\n`);
        utf8.end();
      }
      state = "over";
      return {
        events,
        eventsDropped: 0,
        comments,
        invalidUtf8: !utf8.valid,
        ...(unfinished !== undefined && { unfinished }),
      };
    },
  };
}

/**
 * Turns CR and CRLF into LF. A CR at the end of a chunk already ends the line. Waiting for a possible LF, as parsers
 * do, would delay the event until the next one.
 */
function createLineEndFolder(): (text: string) => string {
  let afterCr = false;
  return (text) => {
    if (text === "") return text;
    const rest = afterCr && text.startsWith("\n") ? text.slice(1) : text;
    afterCr = text.endsWith("\r");
    return rest.includes("\r") ? rest.replace(/\r\n?/g, "\n") : rest;
  };
}

/** Needs a second decoder, because a replacement character in the text may be the peer's own and valid. */
function createUtf8Check(): { feed(bytes: Uint8Array): void; end(): void; readonly valid: boolean } {
  const strict = new TextDecoder("utf-8", { fatal: true });
  let valid = true;
  const attempt = (bytes?: Uint8Array): void => {
    if (!valid) return;
    try {
      strict.decode(bytes, { stream: bytes !== undefined });
    } catch {
      valid = false;
    }
  };
  return {
    feed: attempt,
    end: () => attempt(),
    get valid() {
      return valid;
    },
  };
}
