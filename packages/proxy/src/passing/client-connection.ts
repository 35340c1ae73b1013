import type { JsonObject } from "@assay/protocol";
import type { Failure, HeaderPairs } from "@assay/wire";
import type { AddressMap } from "./address-map.ts";
import type { NoticeCode, Side } from "./notice.ts";
import type { Upstream } from "./upstream.ts";
import type { ExchangeWitness } from "./witness.ts";

/** What those who pass things on need to know, and whom they tell. */
export interface Passing {
  readonly map: AddressMap;
  readonly keepCard: boolean;
  /** The card as clients are to get it, but for its addresses. */
  offered(card: JsonObject): JsonObject;
  /** The fields of a request as they may go to a host. */
  permitted(origin: URL, fields: HeaderPairs): HeaderPairs;
  witness(request: {
    readonly method: string;
    readonly url: string;
    readonly headers: HeaderPairs;
    readonly http2: boolean;
  }): ExchangeWitness;
  /** A card went by; as the agent wrote it. */
  cardPassed(passed: { readonly url: string; readonly card: JsonObject; readonly changes: readonly string[] }): void;
  notice(side: Side, code: NoticeCode, text: string): void;
}

/** One connection of a client, and those that lead on from it. */
export interface ClientConnection {
  readonly proxy: Passing;
  readonly upstream: Upstream;
}

/** What a client is told whose request could not be passed on. */
export const refusedText = (origin: URL, { message, hint }: Failure): string =>
  `${origin.host} could not be reached: ${message}${hint ? `. ${hint}` : ""}`;
