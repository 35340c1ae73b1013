import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parse } from "yaml";

export const root = join(import.meta.dirname, "../..");

/** A row of sdks/clients/clients.yaml. */
export interface RealClient {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly setup?: readonly (readonly string[])[];
  readonly command: readonly string[];
}

export const realClients: readonly RealClient[] = parse(
  readFileSync(join(root, "sdks/clients/clients.yaml"), "utf8"),
) as RealClient[];

/** Sets a client up, once; says why not. */
export function setUp({ id, setup = [] }: RealClient): boolean {
  for (const [command, ...args] of setup) {
    const { status, stderr } = spawnSync(command!, args, { cwd: root, encoding: "utf8" });
    if (status === 0) continue;
    console.warn(`${id} cannot be set up: ${stderr.trim().split("\n").at(-1)}`);
    return false;
  }
  return true;
}

export interface Told {
  readonly exit: number;
  readonly output: string;
  readonly errors: string;
}

/** The exit code of a program that does not do this. */
export const declined = 75;

const inVain = { exit: 1, output: "" } as const;

/** A program that reads situations from stdin (docs/clients.md). */
export class ClientProgram {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown>;
  #asked = 0;

  constructor({ command: [file, ...args] }: RealClient) {
    this.#child = spawn(file!, args, { cwd: root, stdio: ["pipe", "pipe", "ignore"], detached: true });
    this.#lines = createInterface(this.#child.stdout!)[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** Sends a message, and a reply to the question of the agent. A program without an answer after a minute is ended: its caller would wait in vain. */
  async send(url: string, text: string, reply?: string): Promise<Told> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return { ...inVain, errors: "the program has ended" };
    const limit = setTimeout(() => process.kill(-this.#child.pid!, "SIGKILL"), 60_000);
    try {
      return await this.#answerTo(url, text, reply);
    } finally {
      clearTimeout(limit);
    }
  }

  async #answerTo(url: string, text: string, reply?: string): Promise<Told> {
    const id = ++this.#asked;
    const action = reply === undefined ? { ASSAY_ACTION: "send" } : { ASSAY_ACTION: "converse", ASSAY_REPLY: reply };
    const environment = { ASSAY_AGENT_URL: url, ASSAY_SITUATION: "pair", ASSAY_MESSAGE: text, ...action };
    this.#child.stdin!.write(`${JSON.stringify({ id, environment })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) return { ...inVain, errors: "no answer within a minute, or the program ended by itself" };
      const told = readLine(value);
      if (told?.id === id) return told;
    }
  }

  /** Ends the program and the driver that it may have started. */
  async end(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(-this.#child.pid!, "SIGKILL");
    await this.#ended;
  }
}

/** Some packages print lines of their own. */
function readLine(line: string): (Told & { readonly id: number }) | undefined {
  try {
    return JSON.parse(line) as Told & { readonly id: number };
  } catch {
    return undefined;
  }
}
