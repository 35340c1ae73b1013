import { type ChildProcess, spawn } from "node:child_process";
import { performance } from "node:perf_hooks";
import type { CommandOutcome } from "@assay/suite/report";
import { asGroup, signalGroup, spawnCommand } from "@assay/wire/process";

/** The outcome of one run of the client's command. */
export interface CommandRun extends CommandOutcome {
  readonly ended: "exit" | "signal" | "time-over" | "not-started" | "interrupted";
  /** the reason why it could not be started */
  readonly trouble?: string;
  /** the command ended but left processes of its group running; they were killed */
  readonly leftBehind: boolean;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** text for its stdin, which is empty otherwise */
  readonly input?: string;
  /** called with everything it prints */
  readonly onOutput?: (text: string) => void;
  /** sends SIGINT to the command when it resolves, as Ctrl-C does */
  readonly interrupt?: Promise<unknown>;
}

/** Limits of the kept output: the first and the last bytes. */
const keptHead = 48 * 1024;
const keptTail = 16 * 1024;

/** Time that a process group has to end after SIGTERM before it gets SIGKILL. */
const patienceMs = 1_000;

/** Time to wait for remaining output after the group has ended. */
const drainMs = 500;

/** Runs a command in its own process group, and kills any process of the group that is left. */
export async function runCommand(command: readonly string[], options: CommandOptions): Promise<CommandRun> {
  const began = performance.now();
  const { file, args, shell } = spawnCommand(command, options.env);
  const child = spawn(file, args, {
    env: { ...options.env },
    shell,
    ...asGroup,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(options.folder !== undefined && { cwd: options.folder }),
  });
  const [output, errors] = [new KeptText(), new KeptText()];
  child.stdout?.on("data", (bytes: Buffer) => output.add(bytes));
  child.stderr?.on("data", (bytes: Buffer) => errors.add(bytes));
  const { onOutput, input } = options;
  if (onOutput)
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes) => onOutput(String(bytes)));
  // A command may end without reading its stdin.
  child.stdin?.on("error", () => {}).end(input);
  const over = waitFor(child);
  void options.interrupt?.then(() => signalGroup(child, "SIGINT"));
  // Kill the command even if this process exits.
  const onExit = (): void => void signalGroup(child, "SIGKILL");
  process.once("exit", onExit);
  const settled = new AbortController();
  const stopped = await Promise.race([over.then(() => undefined), stop(options, settled.signal)]);
  settled.abort();
  if (stopped) await endGroup(child, over);
  const { code, signal, trouble } = await over;
  const leftBehind = signalGroup(child, "SIGKILL");
  await drained(child);
  process.off("exit", onExit);
  return {
    ended: stopped ?? (trouble !== undefined ? "not-started" : signal ? "signal" : "exit"),
    ...(code !== null && { exit: code }),
    ...(signal && { signal }),
    ...(trouble !== undefined && { trouble }),
    output: output.text,
    errors: errors.text,
    dropped: output.dropped + errors.dropped,
    leftBehind: leftBehind && stopped === undefined,
    duration_ms: Math.round((performance.now() - began) * 10) / 10,
  };
}

interface Over {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly trouble?: string;
}

const waitFor = (child: ChildProcess): Promise<Over> =>
  new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve({
        code: null,
        signal: null,
        trouble: error.code === "ENOENT" ? "command not found" : error.message,
      }),
    );
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });

/** Resolves on timeout or abort; never resolves if the command ends first. */
function stop({ timeoutMs, signal }: CommandOptions, settled: AbortSignal): Promise<"time-over" | "interrupted"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve("time-over"), timeoutMs);
    timer.unref();
    const abort = (): void => resolve("interrupted");
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true, signal: settled });
  });
}

async function endGroup(child: ChildProcess, over: Promise<Over>): Promise<void> {
  signalGroup(child, "SIGTERM");
  await Promise.race([over, after(patienceMs)]);
  signalGroup(child, "SIGKILL");
}

/**
 * Waits until the pipes close, which happens when the last process that holds them exits. A process that left the group
 * is not waited for.
 */
async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const closed = streams.map((stream) =>
    stream.closed ? undefined : new Promise((resolve) => stream.once("close", resolve)),
  );
  await Promise.race([Promise.all(closed), after(drainMs)]);
  for (const stream of streams) stream.destroy();
}

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Keeps the start and the end of a text of any length. */
class KeptText {
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #seen = 0;

  add(bytes: Buffer): void {
    this.#seen += bytes.length;
    const room = keptHead - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, room)]);
    const rest = bytes.subarray(Math.max(0, room));
    if (rest.length) this.#tail = Buffer.concat([this.#tail, rest]).subarray(-keptTail);
  }

  get dropped(): number {
    return this.#seen - this.#head.length - this.#tail.length;
  }

  get text(): string {
    const gap = this.dropped ? `\n… ${this.dropped} bytes …\n` : "";
    return `${this.#head.toString("utf8")}${gap}${this.#tail.toString("utf8")}`;
  }
}
