import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { asGroup, signalGroup } from "@assay/wire/process";
import type { ReasonCode } from "../classes/reasons.ts";
import type { FleetJob } from "./examination.ts";

/** The program that examines agents: it reads one job per line, and writes one line for each. */
export interface ExaminerProgram {
  readonly file: string;
  /** flags for Node itself */
  readonly flags: readonly string[];
  readonly args: readonly string[];
  /** variables for every process; they contain no secret of an agent */
  readonly env: NodeJS.ProcessEnv;
}

/** The reasons why a process has no result for its job. */
export type Ended = Extract<ReasonCode, "deadline" | "process-memory" | "process-died">;

/** The line that the process wrote, or the reason why there is none. */
type Outcome = { readonly line: string } | { readonly ended: Ended };

/** Time that a process has after its examination's deadline, because it normally ends by itself. */
const graceMs = 10_000;
/** Maximum bytes of output. Longer output is not an examination. */
const mostOutput = 32 * 1024 * 1024;
/** Interval for checking the memory of the process, where the system reports it. */
const lookMs = 200;
/** Memory that Node itself needs besides the heap. */
const besideHeap = 96;
const newLine = 10;

/** A child process that examines one agent at a time. It ends when this one does, because its input closes. */
export class ExaminerProcess {
  readonly #child;
  readonly #memory: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  /** takes the outcome of the current job */
  #settle: ((outcome: Outcome) => void) | undefined;
  #ended: Ended | undefined;
  #isGone = false;
  #given = 0;

  constructor({ file, flags, args, env }: ExaminerProgram, memory: number) {
    this.#memory = memory;
    const heap = `--max-old-space-size=${Math.max(64, memory - besideHeap)}`;
    this.#child = spawn(file, [...flags, ...args], {
      // It gets its own process group, so that everything it starts ends with it.
      ...asGroup,
      stdio: ["pipe", "pipe", "ignore"],
      // Pass the limit in a variable: the single-file executable takes no Node flags.
      env: { ...env, NODE_OPTIONS: heap },
    });
    // The input closes with the process, so its error is expected.
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    this.#child.once("close", (code, signal) => this.#close(code, signal));
    this.#child.once("error", () => this.#close(-1, null));
  }

  /** Number of jobs that it got so far. */
  get given(): number {
    return this.#given;
  }

  /** Hands over a job. Kills the process if the job exceeds a limit, or when the signal aborts. */
  async examine(job: FleetJob, deadline: number, signal: AbortSignal): Promise<Outcome> {
    this.#given++;
    this.#hold(true);
    this.#chunks.length = this.#size = 0;
    const clock = setTimeout(() => this.kill("deadline"), deadline + graceMs);
    const look = setInterval(() => {
      void this.resident().then((held) => {
        if (held > this.#memory) this.kill("process-memory");
      });
    }, lookMs);
    const leave = (): void => this.kill();
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await new Promise<Outcome>((resolve) => {
        this.#settle = resolve;
        if (this.#ended) resolve({ ended: this.#ended });
        else this.#child.stdin.write(`${JSON.stringify(job)}\n`);
      });
    } finally {
      this.#settle = undefined;
      clearTimeout(clock);
      clearInterval(look);
      signal.removeEventListener("abort", leave);
      this.#hold(false);
    }
  }

  /** Ends the process with everything that it started or left open. */
  kill(because: Ended = "process-died"): void {
    this.#ended ??= because;
    // The process id of an ended process may already belong to another one.
    if (!this.#isGone) signalGroup(this.#child, "SIGKILL");
  }

  onEnd(listener: () => void): void {
    this.#child.once("close", listener);
  }

  /** Returns its resident memory in MiB. Windows does not report it, so only the heap has a limit there. */
  async resident(): Promise<number> {
    const { pid } = this.#child;
    if (process.platform === "darwin") return (await kilobytesByPs(pid)) / 1024;
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const [, kilobytes = "0"] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
    return Number(kilobytes) / 1024;
  }

  /** Keeps this process running only while the child has a job. */
  #hold(isBusy: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const each of [this.#child, stdin as Socket, stdout as Socket]) {
      if (isBusy) each.ref();
      else each.unref();
    }
  }

  #receive(chunk: Buffer): void {
    const end = chunk.indexOf(newLine);
    this.#size += chunk.length;
    // Output without a job, or after the job's line, belongs to no job.
    const isUnasked = !this.#settle || (end >= 0 && end < chunk.length - 1);
    if (isUnasked || this.#size > mostOutput) this.kill();
    else this.#chunks.push(chunk);
    if (end >= 0 && !this.#ended) this.#settle?.({ line: Buffer.concat(this.#chunks).toString("utf8") });
  }

  #close(code: number | null, signal: NodeJS.Signals | null): void {
    this.#isGone = true;
    // V8 aborts when its heap is full.
    this.#ended ??= signal === "SIGABRT" || code === 134 ? "process-memory" : "process-died";
    this.#settle?.({ ended: this.#ended });
  }
}

const kilobytesByPs = (pid: number | undefined): Promise<number> =>
  new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (_error, output) => resolve(Number(output.trim()) || 0));
  });
