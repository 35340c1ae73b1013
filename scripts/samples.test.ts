import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Below node_modules, so that the samples find the types of vitest and of Node. */
const folder = join(root, "node_modules/.cache/documented-samples");

// `e2e/package` runs the samples on the installed package; this test finds members that do not exist, which JavaScript hides.
test("the samples of docs/library.md compile", () => {
  const page = readFileSync(join(root, "docs/library.md"), "utf8");
  const samples = [...page.matchAll(/```(?:js|ts)\n([\s\S]*?)```/g)].map(([, code]) => code!);
  expect(samples.length).toBeGreaterThan(7);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, code] of samples.entries()) writeFileSync(join(folder, `sample-${index}.mts`), code);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  expect(stdout).toBe("");
});

const compilerOptions = {
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
  paths: {
    "a2a-assay": [join(root, "packages/library/dist/index.d.ts")],
    "a2a-assay/report": [join(root, "packages/suite/dist/report/index.d.ts")],
    "a2a-assay/vitest": [join(root, "packages/library/matchers/vitest.d.ts")],
    "a2a-assay/jest": [join(root, "packages/library/matchers/jest.d.ts")],
  },
};
