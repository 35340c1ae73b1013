import type { PassedCall, SeenCard, SeenNotice } from "@assay/proxy";

export type { PassedCall } from "@assay/proxy";

/** Something that is watched: the proxy before an agent, or the test bed. */
export interface WatchDocument {
  readonly id: string;
  readonly kind: "proxy" | "testbed";
  /** where clients are to be pointed */
  readonly url: string;
  /** the agent behind the proxy */
  readonly agent?: string;
  readonly startedAt: string;
}

/** One thing that was seen. Texts of others in it are masked, and are text. */
export type WatchEvent = BegunCall | PassedCall | SeenNotice | SeenCard;

/** A request arrived and its response is not complete. A later event with the same id has the result. */
export interface BegunCall {
  readonly is: "begun";
  readonly id: string;
  /** milliseconds since the watching began */
  readonly at: number;
  readonly method: string;
  readonly path: string;
}
