import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { spawnCommand } from "@assay/wire/process";
import type { DriverDescription } from "./description.ts";
import { commandIn } from "./program.ts";

export interface SetUpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** called with each step */
  onStep(text: string): void;
}

/** Sets up a driver; returns why it failed, or undefined. */
export async function setUpDriver(driver: DriverDescription, options: SetUpOptions): Promise<string | undefined> {
  for (const { tool, atLeast, see } of driver.needs) {
    const { code, output } = await run(see, driver.folder, options);
    if (code !== 0)
      return `it needs ${tool}${atLeast === undefined ? "" : ` ${atLeast} or newer`}, which is not installed`;
    const found = versionIn(output);
    if (atLeast !== undefined && found !== undefined && isOlder(found, atLeast))
      return `it needs ${tool} ${atLeast} or newer, but this machine has ${found}`;
  }
  for (const command of driver.setup) {
    options.onStep(command.join(" "));
    const { code, output } = await run(command, driver.folder, options);
    if (code !== 0)
      return `${command.join(" ")} exited with ${code === undefined ? "no exit code" : `code ${code}`}:\n${output}`;
  }
  return undefined;
}

/** Returns the first version in a tool's output, which may be in bold. */
const versionIn = (output: string): string | undefined =>
  /\d+(?:\.\d+)+|\d+/.exec(stripVTControlCharacters(output))?.[0];

const isOlder = (found: string, wanted: string): boolean => {
  const [a, b] = [found, wanted].map((text) => text.split(".").map(Number)) as [number[], number[]];
  for (const [index, part] of b.entries()) {
    const own = a[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
};

/** Number of characters kept of a failed command's output, from its end. */
const keptChars = 4_000;

function run(
  command: readonly string[],
  folder: string,
  { env, signal }: SetUpOptions,
): Promise<{ readonly code: number | undefined; readonly output: string }> {
  const { file, args, shell } = spawnCommand(commandIn(folder, command), env);
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(file, args, { cwd: folder, env: { ...env }, shell, stdio: ["ignore", "pipe", "pipe"], signal });
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString("utf8")).slice(-keptChars);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve({ code: undefined, output: error.message }));
    child.once("close", (code) => resolve({ code: code ?? undefined, output }));
  });
}
