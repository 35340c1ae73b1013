import type { KeptRuns, Lab, TestbedDocument } from "@assay/web";
import { readableRun } from "../recorded/read-run.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { version } from "../version.ts";
import { keptMatrices } from "./matrices.ts";
import { pageTest } from "./page-test.ts";
import { wayTo } from "./way.ts";

/** What the page is given to work with. */
export function createLab({
  folder = new RunFolder(),
  timeScale,
  matrices = [],
}: {
  readonly folder?: RunFolder;
  /** of the built-in test bed */
  readonly timeScale: number;
  /** files of matrix documents, besides those that are kept */
  readonly matrices?: readonly string[];
}): Lab {
  let testbed: Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> | undefined;
  return {
    version,
    runs: keptRuns(folder),
    matrices: keptMatrices(matrices),
    test: (wish, signal) => pageTest(wish, folder, signal),
    reach: wayTo,
    async testbed() {
      testbed ??= startTestbed(timeScale);
      return (await testbed).told;
    },
    async close() {
      await (await testbed)?.close();
    },
  };
}

export const keptRuns = (folder: RunFolder): KeptRuns => ({
  list: () => folder.list(),
  read: (run) => readableRun(folder.eventsOf(run)),
});

async function startTestbed(timeScale: number): Promise<{ readonly told: TestbedDocument; close(): Promise<void> }> {
  const agents = await import("@assay/agents");
  const testbed = await agents.startTestbed({ host: "127.0.0.1", port: 0, version, timeScale });
  const { mutants } = await testbed.families();
  return {
    told: {
      url: testbed.url,
      agents: testbed.agents.map(({ path, name, description }) => ({ path, name, description })),
      mutants: mutants.map(({ id, does }) => ({ id, does })),
    },
    close: () => testbed.close(500),
  };
}
