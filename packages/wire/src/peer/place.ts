import type { Binding, DialectVersion } from "@assay/protocol";
import type { ConnectionNeeds, RequestSpec } from "../client/request-spec.ts";
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
  /** the last word on each request as a whole, over HTTP */
  readonly change?: (request: RequestSpec) => RequestSpec;
  /** what the requests want of their connections */
  readonly connection?: ConnectionNeeds;
}

/** Leaves the fields of a request as they are. */
export const same = (headers: HeaderPairs): HeaderPairs => headers;
