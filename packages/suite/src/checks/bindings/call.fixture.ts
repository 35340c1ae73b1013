import type { Binding, JsonObject, Operation } from "@assay/protocol";
import type { HeaderPairs } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import type { Findings } from "../../define/check.ts";
import type { Finding } from "../../define/finding.ts";

interface Spoken {
  readonly sent?: unknown;
  readonly status?: number;
  readonly type?: string;
  /** the response: JSON, or plain text */
  readonly body?: unknown;
  /** data of each event, if it is a stream */
  readonly events?: readonly string[];
  readonly unfinished?: string;
  readonly operation?: Operation;
  readonly fair?: boolean;
}

const bytesOf = (value: unknown): Uint8Array =>
  Buffer.from(value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));

/** Builds a call for rules about form: only the bytes matter. */
export function spoken(binding: Binding, said: Spoken): Call {
  const { sent, status = 200, type = "application/json", body, events, unfinished, operation = "GetTask" } = said;
  const headers: HeaderPairs = [["Content-Type", events ? "text/event-stream" : type]];
  const text =
    events && body === undefined ? events.map((data) => data.replaceAll(/^/gm, "data: ")).join("\n\n") : body;
  const request = {
    method: "POST",
    url: "http://127.0.0.1/",
    headers: [["Content-Type", "application/json"]] as const,
    body: bytesOf(sent),
    bodyTruncated: false,
  };
  const response = { status, statusText: "", headers, trailers: [], body: bytesOf(text), bodyTruncated: false };
  return {
    exchange: {
      id: "x1",
      transport: {
        sent: new Uint8Array(),
        sentTruncated: false,
        received: new Uint8Array(),
        receivedTruncated: false,
        reused: false,
      },
      http: {
        request,
        response,
        ...(events && {
          sse: {
            events: events.map((data) => ({ at: 1, data })),
            eventsDropped: 0,
            comments: 0,
            invalidUtf8: false,
            ...(unfinished !== undefined && { unfinished }),
          },
        }),
      },
      timing: { startedAt: "2026-01-01T00:00:00.000Z", end: 1 },
    },
    on: { url: "http://127.0.0.1/", binding, dialect: "1.0" },
    operation,
    params: {} as JsonObject,
    reply: { is: "malformed", because: "unused" },
    said: { is: "malformed", because: "unused" },
    fair: said.fair ?? true,
    streamed: events !== undefined,
  };
}

/** Returns the code of each breach that a check found. */
export const wordsOf = (found: Findings | undefined): readonly string[] => [found ?? []].flat().map(wordOf);

export const wordOf = (finding: Finding): string => (finding.is === "breach" ? finding.code : finding.is);
