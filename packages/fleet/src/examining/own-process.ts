import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { asGroup, signalGroup } from "@assay/wire/process";
import { agentClasses } from "../classes/agent-class.ts";
import type { ReasonCode } from "../classes/reasons.ts";
import type { Examination, Examiner, FleetJob } from "./examination.ts";
import { unexamined } from "./unexamined.ts";

/** Limits of one examination. */
export interface ProcessCaps {
  /** MiB that the process may hold, all told */
  readonly memory: number;
  /** milliseconds that an examination may take, unless the list says otherwise for its agent */
  readonly deadline: number;
}

/** How the process is started that examines one agent: it reads the job from its input, and writes the examination. */
export type StartExaminer = (job: FleetJob) => {
  readonly file: string;
  /** for Node itself */
  readonly flags: readonly string[];
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
};

/** How much longer than the examination its process may live: it ends properly by itself. */
const graceMs = 10_000;
/** Larger than any report: longer output is not an examination. */
const mostOutput = 32 * 1024 * 1024;
/** How often the memory of the process is looked at, where the system tells of it. */
const lookMs = 200;
/** Memory that Node itself needs besides the heap. */
const besideHeap = 96;

/**
 * Examines each agent in its own process, with limits on memory and time. An agent that crashes the process harms nothing
 * else and is accused of nothing. The process ends when this one does, because its input closes.
 */
export function processExaminer(start: StartExaminer, caps: ProcessCaps): Examiner {
  return async (job, signal) => {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const deadline = job.agent.deadline ?? caps.deadline;
    const given = { ...job, agent: { ...job.agent, deadline } };
    const { ended, output } = await run(start(given), given, { ...caps, deadline }, signal);
    signal.throwIfAborted();
    const examination = ended === undefined ? examinationIn(output) : undefined;
    return examination ?? unexamined(ended ?? "process-died", Math.round(performance.now() - startedAt));
  };
}

/** Why the process was ended before it had a result. */
type Ended = Extract<ReasonCode, "deadline" | "process-memory" | "process-died">;

async function run(
  { file, flags, args, env }: ReturnType<StartExaminer>,
  job: FleetJob,
  { memory, deadline }: ProcessCaps,
  signal: AbortSignal,
): Promise<{ readonly ended: Ended | undefined; readonly output: string }> {
  const heap = `--max-old-space-size=${Math.max(64, memory - besideHeap)}`;
  const child = spawn(file, [...flags, heap, ...args], {
    // A group of its own: what it might start is ended with it.
    ...asGroup,
    stdio: ["pipe", "pipe", "ignore"],
    env,
  });
  let ended: Ended | undefined;
  const end = (because?: Ended): void => {
    ended ??= because;
    signalGroup(child, "SIGKILL");
  };
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostOutput) end("process-died");
    else chunks.push(chunk);
  });
  // The input closes with the process, so its error is expected.
  child.stdin.on("error", () => {});
  child.stdin.write(`${JSON.stringify(job)}\n`);
  const clock = setTimeout(() => end("deadline"), deadline + graceMs);
  const look = setInterval(() => {
    void residentMiB(child.pid).then((held) => {
      if (held > memory) end("process-memory");
    });
  }, lookMs);
  const leave = (): void => end();
  signal.addEventListener("abort", leave, { once: true });
  try {
    const how = await new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve) => {
      child.on("close", (code, by) => resolve({ code, by }));
      child.on("error", () => resolve({ code: -1, by: null }));
    });
    // V8 aborts where its heap is full.
    if (how.by === "SIGABRT" || how.code === 134) ended ??= "process-memory";
    else if (how.code !== 0) ended ??= "process-died";
    return { ended, output: Buffer.concat(chunks).toString("utf8") };
  } finally {
    clearTimeout(clock);
    clearInterval(look);
    signal.removeEventListener("abort", leave);
  }
}

/** Returns the resident memory of the process. Windows does not tell it: only the heap has a limit there. */
async function residentMiB(pid: number | undefined): Promise<number> {
  if (process.platform === "darwin") return (await kilobytesByPs(pid)) / 1024;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes = "0"] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

const kilobytesByPs = (pid: number | undefined): Promise<number> =>
  new Promise((resolve) => {
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (_error, output) => resolve(Number(output.trim()) || 0));
  });

/** The process has read what a hostile agent wrote: what it says is looked at before it is believed. */
function examinationIn(output: string): Examination | undefined {
  try {
    const said = JSON.parse(output) as Partial<Examination>;
    const isOne =
      agentClasses.some((known) => known === said.class) &&
      typeof said.reason?.code === "string" &&
      typeof said.reason.message === "string" &&
      typeof said.duration_ms === "number";
    return isOne ? (said as Examination) : undefined;
  } catch {
    return undefined;
  }
}
