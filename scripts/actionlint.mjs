// The linter of GitHub workflows, a Go program, built once into node_modules. Without Go its test is skipped; in CI on
// Linux that is a failure. `node scripts/actionlint.mjs` prints the path of the program.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { missingTool } from "./missing-tool.mjs";
import { root, run } from "./steps.mjs";

const version = "1.7.7";
const folder = join(root, `node_modules/.cache/actionlint-${version}`);
const program = join(folder, process.platform === "win32" ? "actionlint.exe" : "actionlint");

/** Builds the linter if that is possible, and returns its path. */
export async function actionlintReady() {
  if (existsSync(program)) return program;
  const module = `github.com/rhysd/actionlint/cmd/actionlint@v${version}`;
  const quietly = { quiet: true, mayFail: true, env: { GOBIN: folder } };
  const hasGo = spawnSync("go", ["version"]).status === 0;
  if (hasGo && (await run("building actionlint", "go", ["install", module], quietly))) return program;
  missingTool(
    hasGo
      ? "Go cannot build actionlint; the reason is above."
      : "There is no Go, which builds actionlint: https://go.dev/dl",
    "The lint of the workflows is skipped.",
  );
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${(await actionlintReady()) ?? ""}\n`);
