import type { JsonObject, JsonValue } from "../json.ts";
import { type Release, releases, type Wire } from "./releases.ts";

/** A member of the model that changes when it is written in a dialect and read back. */
export interface Loss {
  /** `Message.member` */
  readonly at: string;
  readonly wires: readonly Wire[];
  readonly because: string;
  /** a missing member is read back with a value */
  readonly gains?: true;
  /** limits the loss to messages for which it returns true (default: all) */
  readonly when?: (value: JsonValue | undefined, holder: JsonObject) => boolean;
  /** returns the value that is read back (default: none) */
  readonly becomes?: (value: JsonValue | undefined, holder: JsonObject) => JsonValue | undefined;
}

export const until = (release: Release): Release[] => releases.slice(0, releases.indexOf(release));

/** The wires that tag their objects with `kind`. */
export const tagged: readonly Wire[] = releases;

export const older: readonly Wire[] = ["0.1", ...releases, "0.3-proto"];
