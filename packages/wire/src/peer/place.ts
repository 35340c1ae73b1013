import type { Binding, DialectVersion } from "@assay/protocol";
import type { HeaderPairs } from "../recording/exchange.ts";

/** One interface of an agent, as its card names it. */
export interface PeerInterface {
  readonly url: string;
  readonly binding: Binding;
  readonly dialect: DialectVersion;
  readonly tenant?: string;
}

/** Where calls go, and what goes along with each. */
export interface PeerPlace {
  readonly url: string;
  readonly headers: HeaderPairs;
  /** the last word on the fields of each request; over gRPC, on its metadata */
  readonly edit?: (headers: HeaderPairs) => HeaderPairs;
}

/** Leaves the fields of a request as they are. */
export const same = (headers: HeaderPairs): HeaderPairs => headers;
