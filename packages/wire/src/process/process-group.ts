import { type ChildProcess, spawnSync } from "node:child_process";

const isWindows = process.platform === "win32";

/** Options of `spawn` for a program that leads its own process group. Windows has no groups. */
export const asGroup = { detached: !isWindows, windowsHide: true } as const;

/**
 * Sends a signal to a program and all processes that it started. Returns true if one of them got it. Signal 0 sends
 * nothing and only checks whether they exist.
 */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  if (isWindows) return signalTree(child, child.pid, signal);
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

/** Windows delivers no signals: every one ends the program, with the processes that it started. */
function signalTree({ exitCode, signalCode }: ChildProcess, pid: number, signal: NodeJS.Signals | 0): boolean {
  // The id of a process that has exited may belong to another one.
  if (exitCode !== null || signalCode !== null) return false;
  if (signal === 0) return true;
  return spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).status === 0;
}
