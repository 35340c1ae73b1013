import { errorTable, type StreamingOperation } from "@assay/protocol";
import type { PeerInterface, RequestSpec } from "@assay/wire";
import { errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { LiveStream } from "../../define/live-stream.ts";

/** The request of an operation in another form. */
export type RequestChange = (request: RequestSpec) => RequestSpec;

export interface StreamAttempt {
  readonly stream: LiveStream;
  /** the whole call, where it was answered with something else than events */
  readonly refusal: Call | undefined;
}

/**
 * Streams that an agent serves in another form than the specification's first: tried where it is refused like something
 * that the server does not have, and remembered for the rest of the run.
 */
export class StreamFallback {
  /** addresses of HTTP+JSON where one subscribes by GET alone */
  readonly #subscribesByGet = new Set<string>();
  /** operations of 0.1, with their address, whose streams are served below it alone */
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
    // Refused in both places: what counts is where the specification has it.
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

/** The text says POST and the proto GET (AMB-04): a server needs to know one of them. */
function isOtherVerb({ on, exchange, reply }: Call): boolean {
  if (on.binding !== "HTTP+JSON") return false;
  const status = exchange.http.response?.status;
  return status === 405 || status === 501 || (status === 404 && reply.is === "malformed");
}

/** Agents of 0.1 may serve streams under `/subscribe`, as guides of the time have it, and know no such method above. */
function isElsewhere(refusal: Call): boolean {
  if (refusal.on.dialect !== "0.1") return false;
  const status = refusal.exchange.http.response?.status;
  return (
    errorOf(refusal)?.code === errorTable.MethodNotFound.code ||
    (refusal.reply.is === "malformed" && (status === 404 || status === 405))
  );
}

/** The same request by GET, which has no body. */
const asGet: RequestChange = ({ method: _, body: __, headers = [], ...request }) => ({
  ...request,
  method: "GET",
  headers: headers.filter(([name]) => !/^content-/i.test(name)),
});

/** The same request to the address for streams that some agents of 0.1 have. */
const atSubscribe: RequestChange = (request) => {
  const url = new URL(request.url);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/subscribe`;
  return { ...request, url: url.href };
};
