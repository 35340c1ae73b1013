import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in which Linux counts processor time. */
const ticks = 100;

/** Processor seconds and peak memory of a process and all its descendants. */
export interface TreeCost {
  readonly cpuSeconds: number;
  /** of the largest process */
  readonly mostMiB: number;
}

/** Returns the cost of a process and its descendants so far. Descendants that ended count for their parents. */
export function costOfTree(root: number): TreeCost {
  const parents = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? parentOf(Number(name)) : [])));
  const tree = new Set([root]);
  // A Set iterator also visits elements that are added during the iteration.
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

/** Returns the processor seconds of a process and its ended children. */
const cpuSecondsOf = (pid: number): number =>
  statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0) / ticks;

const peakMiBOf = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

/** Returns the fields after the program name, which is in parentheses and may contain spaces. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** Returns undefined if the process has ended since it was listed. */
function ifAlive<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
