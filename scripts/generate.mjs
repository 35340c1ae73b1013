// `npm run generate -- <subject>… [arguments]`: writes committed files. Run it by hand after a change of their sources.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, install, root, runTool } from "./steps.mjs";
import { subjectsIn } from "./subjects.mjs";
import { toolsReady } from "./tools.mjs";

// Each module is loaded when it runs, because a fresh clone has no packages before the installation.
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
  lockfile: {
    means: "the native packages of other platforms in package-lock.json, which npm may leave out",
    takes: "1 min",
    run: async () => (await import("./generate/lockfile.mjs")).generateLockfile(),
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
  release: {
    means: "releases/<version>: the schemas and rule sets that this version freezes (docs/versioning.md)",
    takes: "1 s",
    run: async () => (await import("./generate/release.mjs")).generateRelease(),
  },
  recordings: {
    args: "[file…] [-t name]",
    means: "packages/suite/recordings, from the proof of the suite: everything its judges read that is new",
    takes: "15 min",
    run: (args) => {
      const tests = args.length > 0 ? args : ["e2e/proof"];
      const words = ["run", "--config", "e2e/recorder/vitest.config.ts", ...tests];
      // All mutants of all rules; `npm test` tries only some.
      return runTool("recording", "vitest", words, { env: { ASSAY_PROVE: "all" } });
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
  "signed-cards": {
    means: "docs/signed-cards: signed Agent Cards, good and bad, with new test keys",
    takes: "5 s",
    async run() {
      await build();
      await (await import("./generate/signed-cards.mjs")).generateSignedCards();
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
  "first-run": {
    means: "docs/first-run.svg: assay demo in a terminal, for README (needs the command script of util-linux)",
    takes: "15 s",
    async run() {
      await build();
      await import("./generate/first-run.mjs");
    },
  },
};

const { names, args } = subjectsIn("generate", subjects, { otherwise: ["rules", "proto", "image"] });
await install();
for (const name of names) await subjects[name].run(args);
