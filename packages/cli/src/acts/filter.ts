import { didYouMean, fitsGlob } from "@assay/protocol";
import type { ActsFile, Test, Transport } from "@assay/scenarios";
import type { ActsFlags } from "../commands/acts.ts";
import { UsageError } from "../exit.ts";

/** Which tests are run: by id, glob, row (`rest/ID`), suite or tag. A filter that matches nothing is a typing mistake. */
export function actsFilter(
  files: readonly ActsFile[],
  { only = [], skip = [] }: ActsFlags,
): (test: Test, transport?: Transport) => boolean {
  const suiteOf = new Map(
    files.flatMap(({ suites }) => suites.flatMap(({ id, tests }) => tests.map((test) => [test, id] as const))),
  );
  const tests = [...suiteOf.keys()];
  /** A filter for a row also matches the whole test, if no binding is given. */
  const fits = (test: Test, filter: string, transport?: Transport): boolean => {
    const [, row, id = filter] = /^([^/]+)\/(.+)$/.exec(filter) ?? [];
    if (row !== undefined && transport !== undefined && row !== (test.rows ?? transport)) return false;
    return fitsGlob(id, test.id) || test.tags.includes(filter) || suiteOf.get(test) === filter;
  };
  for (const [flag, filters] of [
    ["--only", only],
    ["--skip", skip],
  ] as const)
    for (const filter of filters)
      if (!tests.some((test) => fits(test, filter)))
        throw new UsageError(
          `${flag} ${filter}: no scenario matches.${didYouMean(
            filter,
            tests.map(({ id }) => id),
          )}`,
          "Run assay acts <files> --list to see the scenarios.",
        );
  return (test, transport) =>
    (!only.length || only.some((filter) => fits(test, filter, transport))) &&
    // To leave out one row is not to leave out the test.
    !skip.some((filter) => (transport !== undefined || !filter.includes("/")) && fits(test, filter, transport));
}
