import { operations, validate } from "@assay/protocol";
import { type Exchange, isGrpcCall, openReplyReader, type PeerBinding, type PeerInterface } from "@assay/wire";
import type { ClientCall } from "../client/client-request.ts";
import type { Call } from "../define/call.ts";

/** Reads the calls of clients in the form that the checks of agents use. */
export class SeenCalls {
  readonly #readers = new Map<PeerInterface, PeerBinding["read"]>();

  /** Must be called before calls on an interface can be read. */
  async learn(on: PeerInterface): Promise<void> {
    if (on.dialect !== "1.0") this.#readers.set(on, await openReplyReader(on));
  }

  /**
   * Returns a client's request as a call; undefined without an operation. `isKept`: it breaks no rule about clients.
   * The agent is not judged by its response to a wrong request.
   */
  read({ exchange, on, operation, params, reply }: ClientCall, isKept: boolean): Call | undefined {
    if (!operation) return undefined;
    const said = this.#readers.get(on)?.(operation, exchange) ?? reply;
    const fair =
      isKept &&
      takesAnswers(exchange) &&
      params !== undefined &&
      validate(operations[operation].request, params).length === 0;
    return {
      exchange,
      on,
      operation,
      ...(params && { params }),
      reply,
      said,
      fair,
      streamed: "streams" in operations[operation],
    };
  }
}

/** Returns true if the client accepts the media types of responses. Without an Accept header it accepts anything. */
function takesAnswers(exchange: Exchange): boolean {
  const accepted = exchange.http.request.headers
    .filter(([name]) => name.toLowerCase() === "accept")
    .map(([, value]) => value);
  return (
    isGrpcCall(exchange) ||
    accepted.length === 0 ||
    accepted.some((value) => /\*\/\*|application\/\*|json/i.test(value))
  );
}
