// The one step of the action: runs `assay test` with the inputs, and tells the steps after it what came of it.
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { invocationOf } from "./invocation.mjs";
import { outputsOf } from "./outputs.mjs";
import { programOf } from "./program.mjs";

const folder = mkdtempSync(join(process.env.RUNNER_TEMP || tmpdir(), "assay-"));
const { command, args, env } = invocationOf(process.env, folder);
const [program, ...rest] = programOf([command, ...args], process);
const child = spawn(program, rest, { stdio: "inherit", env: { ...process.env, ...env } });
const exitCode = await new Promise((resolve) => {
  child.once("error", (error) => {
    process.stdout.write(
      `::error title=A2A::${command} cannot be run (${error.code}). On Windows, name a program such as node, not a .cmd file\n`,
    );
    resolve(3);
  });
  child.once("exit", (code) => resolve(code ?? 130));
});
const outputs = outputsOf(folder, exitCode);
if (outputs.outcome === "" && exitCode !== 0)
  process.stdout.write("::error title=A2A::there was no run, so nothing is known of the agent; the log says why\n");
// Each value is a word, a number or a path of ours, on one line.
const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
process.exitCode = exitCode;
