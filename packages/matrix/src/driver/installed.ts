import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { DriverDescription } from "./description.ts";
import { commandIn } from "./program.ts";

/**
 * Returns what a driver's programs need and this machine does not have: the program itself, or a file that its command
 * names. Returns undefined for a driver that can be started.
 */
export function missingPart(
  { folder, client, server }: Pick<DriverDescription, "folder" | "client" | "server">,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  for (const { command } of [client, server].filter((role) => role !== undefined)) {
    const [program = "", ...words] = commandIn(folder, command);
    if (!isThere(program, env)) return command[0];
    // The first entry of a class path is enough.
    const files = words
      .filter((word) => word.includes("/") && !word.startsWith("-"))
      .map((word) => word.split(":")[0]!);
    const missing = files.find((file) => !existsSync(resolve(folder, file.replace(/\/\*$/, ""))));
    if (missing !== undefined) return missing;
  }
  return undefined;
}

function isThere(program: string, { PATH = "", PATHEXT = "" }: Readonly<Record<string, string | undefined>>): boolean {
  const endings = ["", ...PATHEXT.split(";").filter(Boolean)];
  const places = /[/\\]/.test(program) ? [program] : PATH.split(delimiter).map((folder) => join(folder, program));
  return places.some((place) => endings.some((ending) => existsSync(`${place}${ending}`)));
}
