import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { isObject, jsonObjectIn } from "@assay/protocol";
import { asGroup, signalGroup, spawnCommand } from "@assay/wire/process";
import type { Drive } from "./options.ts";

/** Characters kept of what a program prints besides its answers, from the end. */
const keptChars = 16 * 1024;

type Driven = Awaited<ReturnType<Drive>>;

/** Programs that stay and read situations from stdin, one JSON line each. A program gets one situation at a time. */
export class StdinClients {
  readonly #start: () => StdinClient;
  readonly #running = new Set<StdinClient>();
  readonly #idle: StdinClient[] = [];

  constructor(command: readonly string[], env: NodeJS.ProcessEnv, folder: string | undefined) {
    this.#start = () => new StdinClient(command, env, folder);
  }

  readonly drive: Drive = async (environment, signal) => {
    const known = this.#takeIdle();
    const outcome = await this.#perform(known ?? this.#start(), environment, signal);
    // The program ended after its last answer, before it read this situation.
    return known?.hasFinished ? this.#perform(this.#start(), environment, signal) : outcome;
  };

  /** Returns a program that waits for a situation, and forgets those that have ended meanwhile. */
  #takeIdle(): StdinClient | undefined {
    for (let client = this.#idle.pop(); client; client = this.#idle.pop()) {
      if (!client.isOver) return client;
      this.#running.delete(client);
    }
    return undefined;
  }

  async #perform(client: StdinClient, environment: Readonly<Record<string, string>>, signal: AbortSignal) {
    this.#running.add(client);
    const outcome = await client.perform(environment, signal);
    if (client.isOver) this.#running.delete(client);
    else this.#idle.push(client);
    return outcome;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((client) => client.end()));
  }
}

class StdinClient {
  readonly #child: ChildProcess;
  readonly #over: Promise<void>;
  #printed = "";
  #errors = "";
  #asked = 0;
  #answer: ((outcome: Driven) => void) | undefined;
  isOver = false;
  /** ended by itself with exit code 0, without an answer to the last situation */
  hasFinished = false;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv, folder: string | undefined) {
    const { file, args, shell } = spawnCommand(command, env);
    this.#child = spawn(file, args, {
      env,
      shell,
      ...asGroup,
      stdio: ["pipe", "pipe", "pipe"],
      ...(folder !== undefined && { cwd: folder }),
    });
    this.#child.stdin!.on("error", () => {});
    createInterface(this.#child.stdout!).on("line", (line) => this.#hear(line));
    this.#child.stderr!.on("data", (bytes: Buffer) => {
      this.#errors = (this.#errors + bytes.toString("utf8")).slice(-keptChars);
    });
    const onExit = (): void => void signalGroup(this.#child, "SIGKILL");
    process.once("exit", onExit);
    this.#over = new Promise((resolve) => {
      const end = (outcome: Driven): void => {
        this.isOver = true;
        process.off("exit", onExit);
        this.#settle(outcome);
        resolve();
      };
      this.#child.once("error", (error: NodeJS.ErrnoException) =>
        end({ ...failed, trouble: error.code === "ENOENT" ? "command not found" : error.message }),
      );
      // "close" comes after the last output.
      this.#child.once("close", (code, signal) => {
        this.hasFinished = code === 0;
        end({ ...failed, exit: code || 1, errors: `the program ended by itself (${signal ?? `exit code ${code}`})` });
      });
    });
  }

  /** Passes a situation to the program. If the signal aborts first, the program is killed. */
  async perform(environment: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Driven> {
    this.#asked += 1;
    this.#printed = "";
    this.#errors = "";
    const answered = new Promise<Driven>((resolve) => {
      this.#answer = resolve;
    });
    const abort = (): void => void this.end();
    signal.addEventListener("abort", abort, { once: true });
    this.#child.stdin!.write(`${JSON.stringify({ id: this.#asked, environment })}\n`);
    const outcome = await answered;
    signal.removeEventListener("abort", abort);
    return outcome;
  }

  #hear(line: string): void {
    const json = jsonObjectIn(line);
    if (!isObject(json) || json["id"] !== this.#asked) {
      this.#printed = `${this.#printed}${line}\n`.slice(-keptChars);
      return;
    }
    const { exit, output = "", errors = "" } = json;
    this.#settle(
      typeof exit === "number" && typeof output === "string" && typeof errors === "string"
        ? { exit, output: `${this.#printed}${output}`, errors }
        : { ...failed, errors: `the answer of the program needs exit (a number), output and errors (texts): ${line}` },
    );
  }

  #settle(outcome: Driven): void {
    const { errors = "" } = outcome;
    this.#answer?.({ ...outcome, errors: [this.#errors, errors].filter(Boolean).join("\n") });
    this.#answer = undefined;
  }

  async end(): Promise<void> {
    signalGroup(this.#child, "SIGKILL");
    await this.#over;
  }
}

const failed = { exit: 1, output: "", errors: "" } as const;
