import { operations, validate } from "@assay/protocol";
import { type Exchange, isGrpcCall, openReplyReader, type PeerBinding, type PeerInterface } from "@assay/wire";
import type { ClientCall } from "../client/client-request.ts";
import type { Call } from "../define/call.ts";

/** Reads the calls of others as the checks of agents read our own. */
export class SeenCalls {
  readonly #readers = new Map<PeerInterface, PeerBinding["read"]>();

  /** Before calls on an interface can be read. */
  async learn(on: PeerInterface): Promise<void> {
    if (on.dialect !== "1.0") this.#readers.set(on, await openReplyReader(on));
  }

  /**
   * A call of a client as one that was made here; none where it asked for no operation. `isKept`: no rule about clients is
   * broken by it. What an agent makes of a request that is wrong is not held against it.
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

/** Whether a client says that it takes what an agent answers with; who says nothing takes anything. */
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
