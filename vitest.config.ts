import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests read the source of every workspace (the `source` condition), so they never see a stale build.
// `import` is not among them: Node would take it for a condition of `require`, too.
const conditions = ["source", "node"];

/** What takes long begins first, so that no long file is alone at the end. A fresh clone knows no durations yet. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      moduleId.includes("/e2e/proof/") ? 0 : moduleId.includes("/e2e/") ? 1 : 2;
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
    // Most of the end-to-end proofs wait for an answer: three files at a time, whatever vitest makes of the cores.
    maxWorkers: 3,
    // No module keeps anything from one test to the next, so what is loaded once serves all files of a worker:
    // loading everything anew for each of them took half of the time of the unit tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
});
