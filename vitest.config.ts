import { createHash } from "node:crypto";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Tests read the source of every workspace (the `source` condition), so they never see a stale build.
// `import` is not among them: Node would take it for a condition of `require`, too.
const conditions = ["source", "node"];

/** The files that take longest, the longest first: a fresh clone has no durations to sort by. */
const slow = [
  "e2e/proof/production",
  "e2e/gateway/real-gateways",
  "e2e/surroundings/surroundings",
  "e2e/testbed/variants/variants",
  "e2e/docs/commands",
  "e2e/clients/proof",
  "e2e/proof/verdicts",
  "e2e/acts/third-party",
  "e2e/proof/good-agents",
  "e2e/gateway/direct",
  "e2e/fleet/reused-process",
  "e2e/proxy/faults",
  "e2e/package/package",
  "e2e/gateway/planted-faults",
  "e2e/acts/acceptance",
  "e2e/ui/page",
];

/** Starts long files first, so that none runs alone at the end; `--sequence.shuffle` mixes them instead. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    const digestOf = ({ moduleId }: TestSpecification) =>
      createHash("sha1").update(`${seed} ${moduleId}`).digest("hex");
    if (shuffle) return files.toSorted((a, b) => digestOf(a).localeCompare(digestOf(b)));
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = slow.findIndex((name) => moduleId.includes(`/${name}.`));
  if (place >= 0) return place;
  return slow.length + (moduleId.includes("/e2e/proof/") ? 0 : moduleId.includes("/e2e/") ? 1 : 2);
}

// Tests of the wires, which run a second time over HTTP/2: a sample in `npm test`, all of them in `npm run prove`.
const sample = ["testbed/operations/*", "testbed/capabilities", "auth/secure", "auth/secure-oauth"];
const wires = [
  ...sample,
  "auth/authorisation",
  "testbed/bad-input/*",
  "testbed/hostile-clients",
  "testbed/natures",
  "testbed/negotiation",
  "testbed/older/*",
  "testbed/profiles",
  "testbed/push",
  "testbed/quotas",
  "testbed/relay",
  "testbed/site",
];
const isProof = process.env["ASSAY_PROVE"] !== undefined;
const provesAll = process.env["ASSAY_PROVE"] === "all";
const overHttp2 = (provesAll ? wires : sample).map((name) => `e2e/${name}.test.ts`);

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    globalSetup: ["scripts/viewer.mjs", "scripts/rules.mjs", "scripts/profiles.mjs"],
    setupFiles: ["scripts/property-runs.mjs"],
    // For a machine that is busy with other work; no test waits for it to pass.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // `expect.poll` waits for an event: only one that never comes fails.
    expect: { poll: { timeout: 250_000, interval: 10 } },
    // A summary shows only the message of a failure: it has to name what was found.
    chaiConfig: { truncateThreshold: 400 },
    // Most tests wait for answers, so two processors can serve six files at a time.
    maxWorkers: 6,
    // No module keeps anything from one test to the next, so what is loaded once serves all files of a worker:
    // loading everything anew for each of them took half of the time of the unit tests.
    isolate: false,
    // Runs make much short-lived garbage: with more room for it they need a fifth less CPU time.
    execArgv: ["--max-semi-space-size=64"],
    // Modules are transformed once, and again when they change: a run needs a tenth less CPU time.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts", "scripts/**/*.test.ts"],
          // Whole files that only the long commands run.
          exclude: [...configDefaults.exclude, ...(isProof ? [] : ["**/*.long.test.ts"])],
        },
      },
      { extends: true, test: { name: "HTTP/2", include: overHttp2, env: { ASSAY_HTTP: "2" } } },
    ],
  },
});
