import type { JsonObject } from "@assay/protocol";
import type { Failure, HeaderPairs } from "@assay/wire";
import type { CallFaults, Faults } from "../faults/faults.ts";
import type { AddressMap } from "./address-map.ts";
import type { NoticeCode, Side } from "./notice.ts";
import type { Upstream } from "./upstream.ts";
import type { ExchangeWitness } from "./witness.ts";

/** Settings and callbacks for forwarding. */
export interface Passing {
  readonly map: AddressMap;
  readonly keepCard: boolean;
  /** forward the Host header unchanged: the agent is to write our address in its card */
  readonly keepHost: boolean;
  readonly faults: Faults | undefined;
  /** Returns the card to offer to clients, before its addresses are rewritten. */
  offered(card: JsonObject): JsonObject;
  /** Returns the headers that may be sent to a host. */
  permitted(origin: URL, fields: HeaderPairs): HeaderPairs;
  witness(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: HeaderPairs;
    readonly http2: boolean;
    readonly faults?: readonly string[] | undefined;
  }): ExchangeWitness;
  /** Called with each card that passed, as the agent wrote it. */
  cardPassed(passed: { readonly url: string; readonly card: JsonObject; readonly changes: readonly string[] }): void;
  notice(side: Side, code: NoticeCode, text: string): void;
}

/** One client connection, with its connections to the agent. */
export interface ClientConnection {
  readonly proxy: Passing;
  readonly upstream: Upstream;
}

/** Returns a connection on which the agent calls the client, so that notices name the other side. */
export const backwards = ({ proxy, upstream }: ClientConnection): ClientConnection => ({
  upstream,
  proxy: {
    ...proxy,
    notice: (side, code, text) => proxy.notice(side === "client" ? "agent" : "client", code, `notification: ${text}`),
  },
});

/** The whole body of a request, read before it is forwarded, and the faults of the call. */
export interface HeldRequest {
  readonly body: Buffer;
  readonly faults: CallFaults;
}

/** The message for a client whose request could not be forwarded. */
export const refusedText = (origin: URL, { message, hint }: Failure): string =>
  `cannot reach ${origin.host}: ${message}${hint ? `. ${hint}` : ""}`;
