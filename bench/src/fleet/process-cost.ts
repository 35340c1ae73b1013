import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks in a second, as Linux counts the time of processes. */
const ticks = 100;

/** Seconds of processor that a process and those it started and waited for have used. */
export function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program is in parentheses, and may hold spaces.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
}

/** MiB that the largest of the processes that this one started has held at most. */
export function mostMemoryBelow(parent: number): number {
  let most = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) !== parent) continue;
      most = Math.max(most, Number(/^VmHWM:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024);
    } catch {
      // It has ended between the list and the look.
    }
  }
  return most;
}
