import type { JsonObject, JsonValue } from "../json.ts";
import { type Release, releases, type Wire } from "./releases.ts";

/** A member of the model that does not survive the way out into a dialect and back. */
export interface Loss {
  /** `Message.member` */
  readonly at: string;
  readonly wires: readonly Wire[];
  readonly because: string;
  /** a member that was absent comes back with something */
  readonly gains?: true;
  /** only there, where the message that has the member is like this */
  readonly when?: (value: JsonValue | undefined, holder: JsonObject) => boolean;
  /** what comes back; without it, nothing does */
  readonly becomes?: (value: JsonValue | undefined, holder: JsonObject) => JsonValue | undefined;
}

export const until = (release: Release): Release[] => releases.slice(0, releases.indexOf(release));

/** The wires that tag their objects with `kind`. */
export const tagged: readonly Wire[] = releases;

export const older: readonly Wire[] = ["0.1", ...releases, "0.3-proto"];
