import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** The corpus of ACTS lies beside this project; it is read there and never copied. */
export const corpus = resolve(process.env["ASSAY_CORPUS"] ?? "../shared/acts");

/** Whether there is a corpus to try something with; where there is none, it is said what is left out. */
export function hasCorpusFor(what: string): boolean {
  const isThere = existsSync(corpus);
  if (!isThere)
    console.log(`skipped: ${what}; there is no ACTS corpus at ${corpus}, and ASSAY_CORPUS=<folder> says where it is`);
  return isThere;
}
