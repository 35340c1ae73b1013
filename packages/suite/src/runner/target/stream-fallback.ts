import { errorTable, type StreamingOperation } from "@assay/protocol";
import type { PeerInterface, RequestSpec } from "@assay/wire";
import { errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";

/** Changes the form of an operation's request. */
export type RequestChange = (request: RequestSpec) => RequestSpec;

export interface StreamAttempt {
  readonly stream: LiveStream;
  /** the complete call, if the response was not a stream */
  readonly refusal: Call | undefined;
}

/**
 * Handles agents that serve streams in a non-standard form. Assay tries it when the standard form is rejected as
 * unknown, and remembers it for the run.
 */
export class StreamFallback {
  /** HTTP+JSON addresses that support subscribing by GET only */
  readonly #subscribesByGet = new Set<string>();
  /** operations of 0.1, with their address, whose streams are served only below it */
  readonly #streamsBelow = new Set<string>();

  async open(
    on: PeerInterface,
    operation: StreamingOperation,
    open: (change?: RequestChange) => Promise<StreamAttempt>,
  ): Promise<StreamAttempt> {
    const known = this.#knownFor(on, operation);
    const first = await open(known);
    if (known || !first.refusal) return first;
    if (operation === "SubscribeToTask" && isOtherVerb(first.refusal)) {
      this.#subscribesByGet.add(on.url);
      return open(asGet);
    }
    if (!isElsewhere(first.refusal)) return first;
    const below = await open(atSubscribe);
    // Rejected in both places: the standard place counts.
    if (below.refusal) return first;
    this.#streamsBelow.add(placeOf(on, operation));
    return below;
  }

  #knownFor(on: PeerInterface, operation: StreamingOperation): RequestChange | undefined {
    if (operation === "SubscribeToTask" && on.binding === "HTTP+JSON" && this.#subscribesByGet.has(on.url))
      return asGet;
    return this.#streamsBelow.has(placeOf(on, operation)) ? atSubscribe : undefined;
  }
}

const placeOf = ({ url }: PeerInterface, operation: StreamingOperation): string => `${operation} ${url}`;

/** The text says POST and the proto GET (AMB-04): a server must support one of them. */
function isOtherVerb({ on, exchange, reply }: Call): boolean {
  if (on.binding !== "HTTP+JSON") return false;
  const status = exchange.http.response?.status;
  return status === 405 || status === 501 || (status === 404 && reply.is === "malformed");
}

/**
 * Agents of 0.1 may serve streams under `/subscribe`, as guides of that time describe, and not know the method above
 * it.
 */
function isElsewhere(refusal: Call): boolean {
  if (refusal.on.dialect !== "0.1") return false;
  const status = refusal.exchange.http.response?.status;
  return (
    errorOf(refusal)?.code === errorTable.MethodNotFound.code ||
    (refusal.reply.is === "malformed" && (status === 404 || status === 405))
  );
}

/** Changes the request to GET, without a body. */
const asGet: RequestChange = ({ method: _, body: __, headers = [], ...request }) => ({
  ...request,
  method: "GET",
  headers: headers.filter(([name]) => !/^content-/i.test(name)),
});

/** Sends the request to the stream address of some 0.1 agents. */
const atSubscribe: RequestChange = (request) => {
  const url = new URL(request.url);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/subscribe`;
  return { ...request, url: url.href };
};
