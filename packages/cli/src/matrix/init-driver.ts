import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import { starterDriver } from "./starter-driver.ts";

/** Writes a driver to start from. It never overwrites a file. */
export function initDriver(folder: string, screen: Screen): ExitCode {
  const name = basename(resolve(folder));
  if (!/^[a-z\d][\w.-]*$/i.test(name))
    throw new UsageError(`--init-driver ${folder}: not a name for a driver.`, "Use letters, digits, dots and dashes.");
  const files = Object.entries(starterDriver(name));
  const taken = files.map(([file]) => join(folder, file)).find((file) => existsSync(file));
  if (taken !== undefined) throw new UsageError(`${taken} already exists.`, "Name another folder, or remove the file.");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of files) {
    writeFileSync(join(folder, file), text);
    screen.line(`Wrote ${join(folder, file)}`);
  }
  screen.line();
  screen.line("It speaks JSON-RPC of 1.0 without an SDK. Let it call your SDK, and check it in a clone of Assay:");
  screen.line(`  npx a2a-assay matrix --check-driver ${folder}`);
  return exitCodes.fine;
}
