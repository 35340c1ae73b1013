import type { Ends } from "./ends.ts";
import type { TestedBinding } from "./requests.ts";
import type { ExaminedProperty } from "./verdict.ts";

export const areas = ["card", "headers", "bodies", "errors", "streams", "delivery", "credentials"] as const;
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
  examine(ends: Ends, binding: TestedBinding): Promise<ExaminedProperty>;
}
