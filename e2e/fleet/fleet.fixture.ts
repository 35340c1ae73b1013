import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const bin = resolve("packages/cli/bin/assay.js");

/** A folder with a list of agents in it. */
export function listOf(agents: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), "assay-fleet-"));
  writeFileSync(join(folder, "agents.yaml"), JSON.stringify({ fleet: "bed", agents }));
  return folder;
}

/** Sweeps over the list of a folder. */
export function sweeping(folder: string, ...flags: string[]): { child: ChildProcess; ended: Promise<FleetEnd> } {
  const args = [
    bin,
    "fleet",
    "agents.yaml",
    "--allow-host",
    "127.0.0.1",
    "--retry-pause",
    "0.1",
    "--host-rate",
    "50",
    ...flags,
  ];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (more) => (out += more));
  child.stderr.on("data", (more) => (err += more));
  const ended = new Promise<FleetEnd>((done) => {
    child.on("close", (exit) => done({ exit, out, err }));
  });
  return { child, ended };
}

export interface FleetEnd {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}
