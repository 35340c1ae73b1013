import type { Binding, DialectVersion } from "@assay/protocol";
import type { ConnectionNeeds, RequestSpec } from "../client/request-spec.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/** One interface of an agent, as in its card. */
export interface PeerInterface {
  readonly url: string;
  readonly binding: Binding;
  readonly dialect: DialectVersion;
  /** the version of requests, if it is a later one with the form of the dialect, as in "1.1" */
  readonly later?: string;
  readonly tenant?: string;
}

/** Returns the version that requests to an interface name. */
export const namedVersion = ({ dialect, later }: Pick<PeerInterface, "dialect" | "later">): string => later ?? dialect;

/** The target of calls, and settings for each. */
export interface PeerPlace {
  readonly url: string;
  /** the version that requests name (default: that of the dialect) */
  readonly version?: string;
  readonly headers: HeaderPairs;
  /** edits the final headers of each request; over gRPC, its metadata */
  readonly edit?: (headers: HeaderPairs) => HeaderPairs;
  /** edits each final HTTP request */
  readonly change?: (request: RequestSpec) => RequestSpec;
  /** requirements on connections */
  readonly connection?: ConnectionNeeds;
}

/** Returns the headers unchanged. */
export const same = (headers: HeaderPairs): HeaderPairs => headers;
