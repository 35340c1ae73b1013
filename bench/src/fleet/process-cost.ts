import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks in a second, as Linux counts the time of processes. */
const ticks = 100;

/** Processor seconds and peak memory of a process and all those below it, which a launcher or a worker started. */
export interface TreeCost {
  readonly cpuSeconds: number;
  /** of the largest process */
  readonly mostMiB: number;
}

/** Returns the cost of a process and its descendants so far. Descendants that ended count for their parents. */
export function costOfTree(root: number): TreeCost {
  const parents = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : [])));
  const tree = new Set([root]);
  // A set visits what is added while it is visited.
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.add(child);
  const costs = [...tree].flatMap((pid) => ifAlive(() => ({ cpu: cpuSecondsOf(pid), mib: peakMiBOf(pid) })) ?? []);
  return {
    cpuSeconds: costs.reduce((sum, { cpu }) => sum + cpu, 0),
    mostMiB: Math.max(0, ...costs.map(({ mib }) => mib)),
  };
}

const parentOf = (pid: number): [number, number][] => {
  const parent = ifAlive(() => Number(statOf(pid)[1]));
  return parent === undefined ? [] : [[pid, parent]];
};

/** Seconds of a process and of its ended children. */
const cpuSecondsOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0) / ticks;

const peakMiBOf = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

/** The fields behind the name of the program, which is in parentheses and may contain spaces. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** A process may end between the list and the look. */
function ifAlive<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
