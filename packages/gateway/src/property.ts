import type { Ends } from "./ends.ts";
import type { ReportedBinding, TestedBinding, TestedVersion } from "./requests.ts";
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
  /** a single failure is proof, because only the gateway can cause it */
  readonly isProof?: true;
  /** examined only if a plain stream passes */
  readonly needsStream?: true;
  /** a feature that the gateway may lack: without it, the property cannot be examined */
  readonly needs?: string;
  /** examined once, not on each binding */
  readonly once?: true;
  /** concerns notifications to a webhook behind the gateway */
  readonly callback?: true;
  /** concerns only this binding (default: JSON-RPC and HTTP+JSON) */
  readonly on?: Exclude<ReportedBinding, "JSONRPC">;
  /** also examined in 0.3, because a gateway may know one version better than the other */
  readonly older?: true;
  examine(ends: Ends, binding: TestedBinding, version: TestedVersion): Promise<ExaminedProperty>;
}
