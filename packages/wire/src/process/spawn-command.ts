import { existsSync } from "node:fs";
import { win32 } from "node:path";

/** The arguments of `spawn` for a command. */
export interface SpawnCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly shell: boolean;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  exists(file: string): boolean;
}

/** Returns how to start a command. On Windows, programs such as npm are batch files, which only the shell can start. */
export function spawnCommand(
  [program = "", ...words]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  machine: Machine = { platform: process.platform, exists: existsSync },
): SpawnCommand {
  if (machine.platform !== "win32" || !isBatchFile(program, env, machine))
    return { file: program, args: words, shell: false };
  return { file: [program.replaceAll("/", "\\"), ...words].map(quoted).join(" "), args: [], shell: true };
}

const endings = [".com", ".exe", ".bat", ".cmd"];

/** Searches the path as Windows does, because the name alone does not distinguish `npm` from `node`. */
function isBatchFile(program: string, env: Readonly<Record<string, string | undefined>>, { exists }: Machine): boolean {
  const [, path = ""] = Object.entries(env).find(([name]) => name.toLowerCase() === "path") ?? [];
  const folders = /[\\/]/.test(program) ? [""] : path.split(win32.delimiter).filter(Boolean);
  const names = endings.includes(win32.extname(program).toLowerCase())
    ? [program]
    : endings.map((ending) => `${program}${ending}`);
  const found = folders.flatMap((folder) => names.map((name) => win32.join(folder, name))).find(exists);
  return found !== undefined && /\.(bat|cmd)$/i.test(found);
}

const quoted = (word: string): string => (/^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`);
