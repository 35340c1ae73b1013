// `npm run generate -- <subject>… [arguments]`: writes files that are committed. Run it by hand after a change of their sources.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, install, root, runTool } from "./steps.mjs";
import { subjectsIn } from "./subjects.mjs";
import { toolsReady } from "./tools.mjs";

// Each is loaded when it runs: a fresh clone has no packages before they are installed.
const subjects = {
  rules: {
    means: "digests of the rule sets and known SDK faults, from packages/suite/src/rules and sdk-faults",
    takes: "1 s",
    run: async () => (await import("./generate/rules.mjs")).generateRules(),
  },
  proto: {
    means: "types, field tables, schemas and validators, from packages/protocol",
    takes: "5 s",
    run: async () => (await import("./generate/proto.mjs")).generateProto(),
  },
  image: {
    means: "deploy/image, from package-lock.json and the optional dependencies",
    takes: "1 s",
    async run() {
      const { imageLockOf } = await import("./generate/image-lock.mjs");
      const { manifest, lock } = imageLockOf(root);
      writeFileSync(join(root, "deploy/image/package.json"), manifest);
      writeFileSync(join(root, "deploy/image/package-lock.json"), lock);
    },
  },
  recordings: {
    args: "[file…] [-t name]",
    means: "packages/suite/recordings, from the proof of the suite: everything its judges read that is new",
    takes: "15 min",
    run: (args) => {
      const tests = args.length > 0 ? args : ["e2e/proof"];
      const words = ["run", "--config", "e2e/recorder/vitest.config.ts", ...tests];
      // All mutants of all rules: `npm test` tries a few.
      return runTool("recording", "vitest", words, { env: { ASSAY_PROVE: "all" } });
    },
  },
  gateways: {
    means: "the table of docs/gateways.md, measured on real gateways",
    takes: "10 min",
    async run() {
      await Promise.all([build(), toolsReady(["gateways", "pythonGateways"])]);
      const env = { ASSAY_PROVE: "all", ASSAY_WRITE_TABLE: "1" };
      await runTool("measuring", "vitest", ["run", "e2e/gateway/real-gateways.long.test.ts"], { env });
    },
  },
  profiles: {
    args: "[id…]",
    means: "packages/suite/profiles, measured on the clients of sdks/clients/clients.yaml",
    takes: "30 min",
    async run(args) {
      await build();
      await (await import("./generate/profiles.mjs")).generateProfiles(args);
    },
  },
  screenshots: {
    means: "docs/screenshots: one picture of each page of assay ui",
    takes: "1 min",
    async run() {
      await Promise.all([build(), toolsReady(["browser"])]);
      await import("./generate/screenshots.mjs");
    },
  },
};

const { names, args } = subjectsIn("generate", subjects, { otherwise: ["rules", "proto", "image"] });
await install();
for (const name of names) await subjects[name].run(args);
