import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** The servers that a sweep and its workers share: addresses, with their passwords. */
export interface Shared {
  readonly queue: string;
  readonly history: string;
}

/** An `assay` in a process of its own, which says what it does in lines of JSON. */
export interface Assay {
  readonly lines: Record<string, unknown>[];
  readonly ended: Promise<number | null>;
  /** all that was written, to the output and the error stream */
  said(): string;
  kill(signal: NodeJS.Signals): void;
}

/** Addresses are given as those that hold a password have to be. */
const shares = ["--queue", "env:E2E_QUEUE", "--history", "env:E2E_HISTORY"];

export const startWorker = (shared: Shared, ...flags: readonly string[]): Assay =>
  assay(["worker", ...shares, "--json", ...flags], shared);

export const startSweep = (list: string, shared: Shared, ...flags: readonly string[]): Assay =>
  assay(["fleet", list, ...shares, "--json", ...flags], shared);

function assay(args: readonly string[], { queue, history }: Shared): Assay {
  const child = spawn(process.execPath, ["packages/cli/bin/command.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, E2E_QUEUE: queue, E2E_HISTORY: history, E2E_TOKEN: "a-token" },
  });
  endWithUs(child);
  const said: string[] = [];
  const lines: Record<string, unknown>[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  createInterface(child.stdout).on("line", (line) => {
    said.push(line);
    if (line.startsWith('{"')) lines.push(JSON.parse(line));
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    lines,
    ended,
    said: () => said.join("\n"),
    kill: (signal) => child.kill(signal),
  };
}

function endWithUs(child: ChildProcess): void {
  const end = (): void => void child.kill("SIGKILL");
  process.once("exit", end);
  child.once("close", () => process.off("exit", end));
}
