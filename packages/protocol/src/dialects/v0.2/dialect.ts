import type { Dialect } from "../dialect.ts";
import type { Release } from "../releases.ts";
import { dialectFor } from "../v0.3/dialect.ts";

/**
 * 0.2 is 0.3 without later additions: no method for the extended card, no signatures, skill security or mutual TLS.
 * releases.ts lists the differences between its releases. It uses the codecs of v0.3.
 */
export const v02For = (release: Exclude<Release, "0.3">): Dialect => dialectFor(release);

/** The last release, which most 0.2 peers speak. Earlier releases understand all of it except the members they lack. */
export const v02: Dialect = v02For("0.2.6");
