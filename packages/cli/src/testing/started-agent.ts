import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";

/** So much of what the agent writes is remembered, to be shown when it dies. */
const rememberedLines = 12;
/** How long it may take to stop when asked; then it is stopped. */
const patienceMs = 5_000;

/** An agent that we started with the user's command, and that we end: its process group, and nothing else. */
export class StartedAgent {
  readonly command: string;
  readonly #process: ChildProcess;
  readonly #tail: string[] = [];
  /** the command itself is over */
  readonly #gone: Promise<void>;
  /** nobody of the group holds our pipes any more */
  readonly #quiet: Promise<void>;
  #ending = false;
  #outcome: string | undefined;
  #isEmpty = false;
  readonly #onExit = () => void this.#signal("SIGKILL");

  private constructor(command: string) {
    this.command = command;
    // A group of its own: what the shell starts ends with it, and Ctrl-C at our terminal does not reach it first.
    this.#process = spawn(command, { shell: true, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#remember(text));
    }
    this.#gone = new Promise((resolve) => {
      this.#process.once("error", (error) => {
        this.#outcome = error.message;
        resolve();
      });
      this.#process.once("exit", (code, signal) => {
        this.#outcome ??= signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
        // An id that nobody has any more may be given to somebody else: from here on it is not ours to signal.
        this.#isEmpty = !this.#signal(0);
        resolve();
      });
    });
    this.#quiet = new Promise((resolve) => {
      this.#process.once("close", () => resolve());
      this.#process.once("error", () => resolve());
    });
    // Whatever becomes of us, it does not stay behind.
    process.once("exit", this.#onExit);
  }

  /** Starts the command, unless somebody is at the address already: the test would be of that one. */
  static async start(command: string, url: string): Promise<StartedAgent> {
    const { origin } = new URL(url);
    if (await isTaken(new URL(url)))
      throw new UsageError(
        `Somebody answers at ${origin} already, so --start would not test what it starts`,
        "End that process first, or leave --start out to test it.",
      );
    return new StartedAgent(command);
  }

  /** Settles when the command has failed by itself; one that ends well may have left an agent behind (docker, npm). */
  get failed(): Promise<void> {
    return this.#gone.then(() => (this.#hasFailed() ? undefined : new Promise<void>(() => {})));
  }

  /** What it said last. */
  lastLines(): readonly string[] {
    return this.#tail.slice(-rememberedLines);
  }

  /** What happened to it, and what it said last; nothing while it is well. */
  obituary(): string[] {
    if (!this.#hasFailed()) return [];
    const said = this.lastLines().map((line) => `  │ ${line}`);
    const heading = said.length
      ? `; its last ${said.length === 1 ? "line" : `${said.length} lines`}:`
      : ", and said nothing.";
    return [`The agent (${escapeText(this.command)}) ${this.#outcome}${heading}`, ...said];
  }

  /** Asks its group to end, and sees to it. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#signal("SIGTERM");
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    // The shell is gone sooner than what it started, which may have something to put away.
    await Promise.race([this.#quiet, patience]);
    clearTimeout(timer);
    this.#signal("SIGKILL");
    process.off("exit", this.#onExit);
    await this.#gone;
  }

  #hasFailed(): boolean {
    return this.#outcome !== undefined && !this.#ending && this.#process.exitCode !== 0;
  }

  /** Whether somebody was there to get it. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#process;
    if (pid === undefined || this.#isEmpty) return false;
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  #remember(text: string): void {
    const lines = text.split("\n").map((line) => escapeText(line.trimEnd()));
    this.#tail.push(...lines.filter(Boolean).map((line) => line.slice(0, 300)));
    this.#tail.splice(0, this.#tail.length - rememberedLines);
  }
}

function isTaken({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (protocol === "https:" ? 443 : 80),
    });
    const say = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(1_000, () => say(false));
    socket.once("connect", () => say(true));
    socket.once("error", () => say(false));
  });
}
