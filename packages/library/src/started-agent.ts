import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { UsageError } from "@assay/protocol/assay-error";
import { escapeText } from "@assay/protocol/escape";
import type { AgentProcess } from "@assay/suite";
import { asGroup, signalGroup } from "@assay/wire/process";

/** The number of output lines to show if the agent ends by itself. */
const rememberedLines = 12;
/** The time that the agent has to stop after SIGTERM. Then SIGKILL follows. */
const patienceMs = 5_000;

/** One process of the command; a restart begins another. */
interface Life {
  readonly process: ChildProcess;
  /** resolves when the command itself has ended */
  readonly gone: Promise<void>;
  /** resolves when no process of the group holds the pipes any more */
  readonly quiet: Promise<void>;
  /** the exit code, signal or error */
  outcome?: string;
  /** it ended after the agent had answered */
  wasUp?: boolean;
  /** no process of its group is left */
  isEmpty: boolean;
}

/** An agent that Assay started with the user's command. Assay ends its process group, and no other process. */
export class StartedAgent implements AgentProcess {
  readonly command: string;
  readonly #folder: string;
  readonly #tail: string[] = [];
  #life: Life;
  #starts = 1;
  #isUp = false;
  #ending = false;
  readonly #onExit = () => void this.#signal("SIGKILL");

  private constructor(command: string, folder: string) {
    this.command = command;
    this.#folder = folder;
    this.#life = this.#launch();
    // The agent must not outlive this process, whatever ends it.
    process.once("exit", this.#onExit);
  }

  #launch(): Life {
    // Its own process group ends everything that the shell starts, and Ctrl-C at this terminal does not reach it first.
    const child = spawn(this.command, {
      cwd: this.#folder,
      shell: true,
      ...asGroup,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#remember(text));
    }
    const gone = new Promise<void>((resolve) => {
      child.once("error", (error) => {
        life.outcome = error.message;
        resolve();
      });
      child.once("exit", (code, signal) => {
        life.outcome ??= signal ? `was killed by ${signal}` : `exited with code ${code}`;
        life.wasUp = this.#isUp;
        // The system may reuse a free process id, so Assay must not send a signal to it any more.
        life.isEmpty = !signalGroup(child, 0);
        resolve();
      });
    });
    const quiet = new Promise<void>((resolve) => {
      child.once("close", () => resolve());
      child.once("error", () => resolve());
    });
    const life: Life = { process: child, gone, quiet, isEmpty: false };
    return life;
  }

  /** Starts the command, unless another program already answers at the address: Assay would test that one. */
  static async start(command: string, url: string, folder = "."): Promise<StartedAgent> {
    const { origin } = new URL(url);
    if (await isTaken(new URL(url)))
      throw new UsageError(
        `Another program already answers at ${origin}, so --start would test the wrong agent`,
        "Stop that program first, or omit --start to test it.",
      );
    return new StartedAgent(command, folder);
  }

  /**
   * Resolves when the command fails before the agent answers. A command that exits with 0 may have left an agent
   * running (docker, npm).
   */
  get failed(): Promise<void> {
    return this.#life.gone.then(() => (this.#hasFailed() && !this.#isUp ? undefined : new Promise<void>(() => {})));
  }

  answers(): void {
    this.#isUp = true;
  }

  get starts(): number {
    return this.#starts;
  }

  async ending(withinMs: number): Promise<string | undefined> {
    const life = this.#life;
    let timer: NodeJS.Timeout | undefined;
    const notice = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    await Promise.race([life.gone, notice]);
    clearTimeout(timer);
    if (life.outcome === undefined || !life.wasUp || this.#ending) return undefined;
    const said = this.lastLines().slice(-3).join(" / ");
    return `The agent (${escapeText(this.command)}) ${life.outcome}${said ? `; its last output: ${said}` : ""}`;
  }

  restart(): void {
    // Processes that the shell left behind would keep the port in use.
    this.#signal("SIGKILL");
    this.#life = this.#launch();
    this.#starts += 1;
  }

  /** Returns the last lines of its output. */
  lastLines(): readonly string[] {
    return this.#tail.slice(-rememberedLines);
  }

  /** Returns how it ended, with its last output; empty while it runs. */
  obituary(): string[] {
    if (!this.#hasFailed()) return [];
    const said = this.lastLines().map((line) => `  │ ${line}`);
    const heading = said.length
      ? `; its last ${said.length === 1 ? "line" : `${said.length} lines`}:`
      : ", without output.";
    return [`The agent (${escapeText(this.command)}) ${this.#life.outcome}${heading}`, ...said];
  }

  /** Asks the process group to end, and kills it after a timeout. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#signal("SIGTERM");
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    // The shell ends sooner than the processes that it started, which may still have to clean up.
    await Promise.race([this.#life.quiet, patience]);
    clearTimeout(timer);
    this.#signal("SIGKILL");
    process.off("exit", this.#onExit);
    await this.#life.gone;
  }

  #hasFailed(): boolean {
    return this.#life.outcome !== undefined && !this.#ending && this.#life.process.exitCode !== 0;
  }

  /** Returns true if the signal reached a process. */
  #signal(signal: NodeJS.Signals): boolean {
    return !this.#life.isEmpty && signalGroup(this.#life.process, signal);
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
