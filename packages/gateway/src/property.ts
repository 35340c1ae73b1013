import type { Ends } from "./ends.ts";
import type { TestedBinding, TestedVersion } from "./requests.ts";
import type { ExaminedProperty } from "./verdict.ts";

export const areas = [
  "card",
  "headers",
  "bodies",
  "compression",
  "errors",
  "streams",
  "delivery",
  "credentials",
  "push",
  "grpc",
] as const;
export type Area = (typeof areas)[number];

/** A property of the traffic that a gateway should preserve. */
export interface Property {
  /** as in GW-HEADER-A2A-VERSION */
  readonly id: string;
  readonly area: Area;
  readonly title: string;
  /** the consequence for clients or agents if it is not preserved */
  readonly breaks: string;
  /** the rule of A2A that clients then see broken */
  readonly rule?: string;
  readonly remedy: string;
  /** load and size cases, which run at depth full only */
  readonly heavy?: true;
  /** examined once, not on each binding */
  readonly once?: true;
  /** concerns notifications to a webhook behind the gateway */
  readonly callback?: true;
  /** concerns gRPC, instead of JSON-RPC and HTTP+JSON */
  readonly on?: "GRPC";
  /** also examined in 0.3, because a gateway may know one version better than the other */
  readonly older?: true;
  examine(ends: Ends, binding: TestedBinding, version: TestedVersion): Promise<ExaminedProperty>;
}
