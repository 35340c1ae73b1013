import { type ChildProcessByStdio, spawn } from "node:child_process";
import { resolve } from "node:path";
import { isSea } from "node:sea";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { asGroup, signalGroup, spawnCommand } from "@assay/wire/process";

export interface ProgramOptions {
  readonly folder: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** a line of its stdout */
  onLine(line: string): void;
  onEnd(how: ProgramEnd): void;
}

/** The way in which a program exited, or the reason why it could not be started. */
export interface ProgramEnd {
  readonly says: string;
  readonly stderr: string;
}

/** Number of characters kept of stderr, from its end. */
const keptStderr = 4_000;
/** Maximum length of a line. */
const mostLineBytes = 32 * 1024 * 1024;
const patienceMs = 2_000;

/** Resolves a command of driver.yaml: a path within its folder, otherwise a program in the PATH. */
export const commandIn = (folder: string, [program = "", ...words]: readonly string[]): readonly string[] => {
  // The single-file executable runs no other script, so such a driver needs an installed Node.
  if (program === "{node}") return [isSea() ? "node" : process.execPath, ...words];
  return [program.includes("/") ? resolve(folder, program) : program, ...words];
};

/** Stops running programs when this process exits. */
const endWithUs = new Set<() => void>();
process.once("exit", () => {
  for (const end of endWithUs) end();
});

/**
 * A running driver program: lines in, lines out. It leads a process group, and all of the group ends with it.
 */
export class DriverProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #over: Promise<void>;
  #stderr = "";
  #isOver = false;

  constructor({ folder, command, env, onLine, onEnd }: ProgramOptions) {
    const { file, args, shell } = spawnCommand(commandIn(folder, command), env);
    this.#child = spawn(file, args, {
      cwd: folder,
      env: { ...env },
      shell,
      ...asGroup,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const { stdin, stdout, stderr } = this.#child;
    stdin.on("error", () => {});
    const decoder = new StringDecoder("utf8");
    let rest = "";
    stdout.on("data", (chunk: Buffer) => {
      rest += decoder.write(chunk);
      const lines = rest.split("\n");
      rest = lines.pop()!;
      if (rest.length > mostLineBytes) rest = "";
      for (const line of lines) if (line.trim() !== "") onLine(line);
    });
    stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-keptStderr);
    });
    const onExit = (): void => void signalGroup(this.#child, "SIGKILL");
    endWithUs.add(onExit);
    this.#over = new Promise((done) => {
      const end = (says: string): void => {
        if (this.#isOver) return;
        this.#isOver = true;
        endWithUs.delete(onExit);
        signalGroup(this.#child, "SIGKILL");
        onEnd({ says, stderr: this.#stderr });
        done();
      };
      this.#child.once("error", (error: NodeJS.ErrnoException) =>
        end(error.code === "ENOENT" ? `program not found: ${file}` : error.message),
      );
      // After the last of its output.
      this.#child.once("close", (code, signal) =>
        end(signal ? `it was killed by ${signal}` : `it exited with code ${code}`),
      );
    });
  }

  get stderr(): string {
    return this.#stderr;
  }

  write(line: string): void {
    if (!this.#isOver) this.#child.stdin.write(`${line}\n`);
  }

  /** Closes its stdin, then asks it to exit, then kills it; returns true if the first was enough. */
  async stop(): Promise<boolean> {
    this.#child.stdin.end();
    if (await this.#isOverWithin(patienceMs)) return true;
    signalGroup(this.#child, "SIGTERM");
    if (await this.#isOverWithin(patienceMs)) return false;
    signalGroup(this.#child, "SIGKILL");
    await this.#over;
    return false;
  }

  async #isOverWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), ms);
    });
    const isOver = await Promise.race([this.#over.then(() => true), late]);
    clearTimeout(timer);
    return isOver;
  }
}
