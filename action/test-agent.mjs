// The only step of the action: runs `assay test` with the inputs, and passes the result to later steps as outputs.
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { invocationOf } from "./invocation.mjs";
import { outputsOf } from "./outputs.mjs";
import { programOf } from "./program.mjs";

const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), "assay-"));
const repository = join(dirname(fileURLToPath(import.meta.url)), "..");
const { build, command, args, env } = invocationOf(process.env, folder, { repository, node: process.execPath });
const isBuilt = !build || (await ended([process.execPath, "scripts/build.mjs"], { cwd: repository })) === 0;
if (!isBuilt)
  process.stdout.write("::error title=A2A::Cannot build Assay from its repository; the log has the reason\n");
const exitCode = isBuilt ? await ended([command, ...args], { env: { ...process.env, ...env } }) : 3;
const outputs = outputsOf(folder, exitCode);
if (outputs.outcome === "" && exitCode !== 0)
  process.stdout.write("::error title=A2A::No run took place, so the agent was not tested; the log has the reason\n");
// Each value is a word, a number or a path of ours, on one line.
const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
process.exitCode = exitCode;

/** Runs a command to its end, and returns its exit code. */
function ended(words, options) {
  const [program, ...rest] = programOf(words, process);
  const child = spawn(program, rest, { stdio: "inherit", ...options });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      process.stdout.write(
        `::error title=A2A::Cannot run ${words[0]} (${error.code}). On Windows, name a program such as node, not a .cmd file\n`,
      );
      resolve(3);
    });
    child.once("exit", (code) => resolve(code ?? 130));
  });
}
