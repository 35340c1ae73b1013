import type { PassedCall, SeenCard, SeenNotice } from "@assay/proxy";

export type { PassedCall } from "@assay/proxy";

/** A watch: a proxy in front of an agent, or the test bed. */
export interface WatchDocument {
  readonly id: string;
  readonly kind: "proxy" | "testbed";
  /** the address for clients */
  readonly url: string;
  /** the agent behind the proxy */
  readonly agent?: string;
  /** the faults that the proxy injects, as in `--fault` */
  readonly faults?: readonly string[];
  readonly startedAt: string;
}

/** An event of a watch. Texts of clients and agents are masked plain text. */
export type WatchEvent = BegunCall | PassedCall | SeenNotice | SeenCard;

/** A request arrived and its response is not complete. A later event with the same id has the result. */
export interface BegunCall {
  readonly is: "begun";
  readonly id: string;
  /** milliseconds since the watch started */
  readonly at: number;
  readonly method: string;
  readonly path: string;
}
