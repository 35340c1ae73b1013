import { setMaxListeners } from "node:events";
import { type ActsFile, runCorpus, Table, type Test, type TestOutcome, type Transport } from "@assay/scenarios";
import { createEgressGuard } from "@assay/wire";

export interface Running {
  /** agents that are somewhere else than their names say: `{ spec: "mutants/GET-002.empty" }`, or another address */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** the address of the same agent with its capabilities off */
  readonly reduced?: string;
  readonly only?: (test: Test) => boolean;
  readonly on?: readonly Transport[];
}

/** Runs scenarios on a test bed: what became of each on each binding. */
export async function rowsOf(
  url: string,
  files: readonly ActsFile[],
  { elsewhere = {}, reduced, only, on }: Running = {},
): Promise<TestOutcome[]> {
  const { signal } = new AbortController();
  // Every call listens to it: many at a time are no leak.
  setMaxListeners(0, signal);
  const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
  const addressOf = (path: string | undefined): string => {
    if (path === undefined) return url;
    const place = elsewhere[path] ?? path;
    return URL.canParse(place) ? place : `${url}/${place}`;
  };
  const table = new Table(
    async (path, run) => {
      const address = { main: addressOf(path), reduced, auth: undefined }[run];
      return address === undefined
        ? undefined
        : { url: address, run: "acts", version: "test", connection: { guard }, signal };
    },
    () => {},
  );
  try {
    const suites = await runCorpus({
      files,
      agents: table.agent,
      concurrency: 12,
      ...(only && { only }),
      ...(on && { transports: on }),
    });
    return suites.flatMap(({ tests }) => tests.flatMap(({ outcomes }) => outcomes));
  } finally {
    await table.close();
  }
}

/** A row that is not green, on a line, for a test that fails. */
export const line = ({ row, verdict, reason, failure }: TestOutcome): string =>
  [row, verdict, reason, failure && `${failure.step}: ${failure.message}`].filter(Boolean).join(" | ");
