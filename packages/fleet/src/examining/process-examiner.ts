import { agentClasses } from "../classes/agent-class.ts";
import type { Examination, Examiner, FleetJob } from "./examination.ts";
import { type Ended, ExaminerProcess, type ExaminerProgram } from "./examiner-process.ts";
import { unexamined } from "./unexamined.ts";

/** Limits of an examination and of the process it runs in. */
export interface ProcessCaps {
  /** MiB of memory for the process as a whole */
  readonly memory: number;
  /** maximum milliseconds of an examination, unless the list sets a value for the agent */
  readonly deadline: number;
  /** number of agents that one process examines before another process replaces it */
  readonly agents: number;
}

/** The line that a process writes for a job. */
export interface Examined {
  readonly examination: Examination;
  /** no data of this examination remains in the process, so it can take another job */
  readonly reusable: boolean;
}

/**
 * Returns the variables that only the process of this agent gets; undefined if the agent has no credentials. A process
 * that was given credentials examines no other agent.
 */
export type SecretsOf = (job: FleetJob) => NodeJS.ProcessEnv | undefined;

/** A process that holds more than this part of its memory limit after a job is replaced. */
const reusedBelow = 0.6;
/** A process that gets no job for this long ends. */
const idleMs = 10_000;

/**
 * Examines agents in child processes, with limits on memory and time. Agents without credentials share processes, one at
 * a time. An agent that crashes its process harms no other agent and is accused of nothing (ADR 26).
 */
export function processExaminer(program: ExaminerProgram, secretsOf: SecretsOf, caps: ProcessCaps): Examiner {
  /** processes without a job, each with the timer that ends it */
  const idle = new Map<ExaminerProcess, NodeJS.Timeout>();

  const fresh = (secrets: NodeJS.ProcessEnv | undefined): ExaminerProcess => {
    const process = new ExaminerProcess({ ...program, env: { ...program.env, ...secrets } }, caps.memory);
    process.onEnd(() => leaveIdle(process));
    return process;
  };

  const keepIdle = (process: ExaminerProcess): void => {
    const end = (): void => {
      leaveIdle(process);
      process.kill();
    };
    idle.set(process, setTimeout(end, idleMs).unref());
  };

  const leaveIdle = (process: ExaminerProcess): void => {
    clearTimeout(idle.get(process));
    idle.delete(process);
  };

  /** Takes the process that was used last, so that the others can end. */
  const takeIdle = (): ExaminerProcess | undefined => {
    const last = [...idle.keys()].at(-1);
    if (last) leaveIdle(last);
    return last;
  };

  const isKept = async (process: ExaminerProcess, { reusable }: Examined): Promise<boolean> =>
    reusable && process.given < caps.agents && (await process.resident()) < caps.memory * reusedBelow;

  return async (job, signal) => {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const deadline = job.agent.deadline ?? caps.deadline;
    const given = { ...job, agent: { ...job.agent, deadline } };
    const secrets = secretsOf(given);

    const examineIn = async (process: ExaminerProcess): Promise<Examination | Ended> => {
      const outcome = await process.examine(given, deadline, signal);
      signal.throwIfAborted();
      if ("ended" in outcome) return outcome.ended;
      const examined = examinedIn(outcome.line);
      const isIdle = examined && secrets === undefined && (await isKept(process, examined));
      if (isIdle) keepIdle(process);
      else process.kill();
      return examined?.examination ?? "process-died";
    };

    const used = secrets === undefined ? takeIdle() : undefined;
    const first = used && (await examineIn(used));
    // An earlier agent may be the reason, so only a fresh process decides.
    const result =
      first === undefined || first === "process-died" || first === "process-memory"
        ? await examineIn(fresh(secrets))
        : first;
    return typeof result === "string" ? unexamined(result, Math.round(performance.now() - startedAt)) : result;
  };
}

/** Validates the process's output, because the process has read the content of a hostile agent. */
function examinedIn(line: string): Examined | undefined {
  try {
    const { examination, reusable } = JSON.parse(line) as Partial<Examined>;
    const isOne =
      agentClasses.some((known) => known === examination?.class) &&
      typeof examination?.reason?.code === "string" &&
      typeof examination.reason.message === "string" &&
      typeof examination.duration_ms === "number";
    return isOne ? { examination: examination as Examination, reusable: reusable === true } : undefined;
  } catch {
    return undefined;
  }
}
