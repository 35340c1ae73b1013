import type { Dialect } from "../dialect.ts";
import type { Release } from "../releases.ts";
import { dialectFor } from "../v0.3/dialect.ts";

/**
 * 0.2 is 0.3 minus what came later: no method for the extended card, no signatures, skill security or mutual TLS,
 * and what releases.ts says of its own releases. The codecs are those of v0.3.
 */
export const v02For = (release: Exclude<Release, "0.3">): Dialect => dialectFor(release);

/** The last release, which most 0.2 peers speak; earlier ones understand all of it but the members they lack. */
export const v02: Dialect = v02For("0.2.6");
