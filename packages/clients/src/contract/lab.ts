import { readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { AgentDefinition } from "@assay/agents/making";
import type { Binding } from "@assay/protocol";
import { createMasker, type Masker } from "@assay/wire";
import { type CommandRun, runCommand } from "../command.ts";
import { shownCommand } from "../shown-command.ts";
import { Inapplicable, NotMeasured, ProbeExpectations } from "./outcome.ts";
import { Scene, type ToolRun, type ToolRunOptions } from "./scene.ts";

/** Spellings that the contract leaves open and that Assay finds out. */
export interface LearnedSpellings {
  /** the tool has no --text, so the text is an argument */
  positional?: boolean;
  /** bindings that the tool speaks */
  readonly speaks: Set<Binding>;
  /** default_001_breakdown, filled by its probe */
  readonly defaults: Map<string, { shipped: boolean; overridable: boolean }>;
  /** error codes of the contract that the tool printed */
  readonly codes: Set<string>;
  version?: string;
}

export interface LabOptions {
  readonly command: readonly string[];
  /** the only variables of the user that the tool sees: PATH and what the platform needs */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly agentSkill?: string;
  readonly learned: LearnedSpellings;
}

/** The workspace of one probe, with its own home directory, its agents, and the runs of the tool. */
export class ContractLab extends ProbeExpectations {
  readonly learned: LearnedSpellings;
  readonly agentSkill: string | undefined;
  readonly home: string;
  readonly folder: string;
  /** for temporary files of the tool */
  readonly temporary: string;
  /** a run of this probe exceeded the time limit */
  isLate = false;
  /** the tool could not be started */
  trouble: string | undefined;
  readonly #options: LabOptions;
  readonly #scenes: Scene[] = [];
  readonly #root: string;
  readonly #masker: Masker;

  static async open(options: LabOptions): Promise<ContractLab> {
    const root = await realpath(await mkdtemp(join(tmpdir(), "assay-contract-")));
    const lab = new ContractLab(options, root);
    await mkdir(lab.home);
    await mkdir(lab.folder);
    await mkdir(lab.temporary);
    return lab;
  }

  private constructor(options: LabOptions, root: string) {
    super();
    this.#options = options;
    this.#root = root;
    this.learned = options.learned;
    this.agentSkill = options.agentSkill;
    this.home = join(root, "home");
    this.folder = join(root, "work");
    this.temporary = join(root, "tmp");
    this.#masker = createMasker(shownCommand(options.command).secrets);
  }

  async scene(agent: AgentDefinition, { untrusted = false } = {}): Promise<Scene> {
    const { version } = this.#options;
    const scene = await Scene.open(agent, {
      version,
      tool: this.#tool,
      start: (args, options) => this.#start(args, options),
      publishable: (text) => this.publishable(text),
      untrusted,
    });
    this.#scenes.push(scene);
    return scene;
  }

  /** Runs the tool without an agent. */
  async run(args: readonly string[], options: ToolRunOptions = {}): Promise<ToolRun> {
    const run = await this.#start(args, options);
    const none = (): [] => [];
    return { ...run, command: this.commandLine(...args), requests: none, calls: none };
  }

  /** The name of the tool in command lines. */
  get #tool(): string {
    return toolName(this.#options.command);
  }

  /** Returns a command line that may be published. */
  commandLine(...args: readonly string[]): string {
    return this.publishable([this.#tool, ...args].join(" "));
  }

  /** Returns the arguments that send a text, in the spelling that the tool has. */
  send(text: string, ...more: readonly string[]): readonly string[] {
    return this.learned.positional ? ["send", text, ...more] : ["send", "--text", text, ...more];
  }

  /** Checks that a run ended by itself with exit code 0. */
  succeeds(run: ToolRun, does: string, fix: string): boolean {
    return this.expect(run.exit === 0, `${does} with exit code 0`, this.describe(run), fix, run.command);
  }

  /** Describes how a run ended, with the start of what it printed. */
  describe({ ended, exit, signal, trouble, output, errors }: CommandRun): string {
    const end =
      ended === "exit"
        ? `exit code ${exit}`
        : ended === "time-over"
          ? "no end within the time limit"
          : ended === "not-started"
            ? `not started (${trouble})`
            : `end by ${signal ?? "interruption"}`;
    const [first] = [errors, output].map((text) => text.trim().replaceAll(/\s+/g, " ")).filter(Boolean);
    return this.publishable(first === undefined ? end : `${end}, "${first.slice(0, 160)}"`);
  }

  /** Replaces addresses and folders of this machine, and masks credentials in the words of the command. */
  publishable(text: string): string {
    return this.#scenes
      .reduce(
        (now, { url }) => now.replaceAll(url, "<agent>").replaceAll(new URL(url).host, "<agent>"),
        this.#masker.text(text),
      )
      .replaceAll(this.home, "~")
      .replaceAll(this.folder, ".")
      .replaceAll(this.temporary, "<tmp>")
      .replaceAll(/127\.0\.0\.1:\d+/g, "<address>");
  }

  notMeasured(reason: string): never {
    throw new NotMeasured(reason);
  }

  inapplicable(reason: string): never {
    throw new Inapplicable(reason);
  }

  /** Writes a file into the folder that the tool runs in, or into its home. */
  async file(name: string, content: string, { inHome = false } = {}): Promise<string> {
    const path = join(inHome ? this.home : this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  /** Returns the files that the tool left, with content and mode. */
  files(): readonly { readonly path: string; readonly text: string; readonly mode: number }[] {
    return readdirSync(this.#root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => statSync(path).size < 1_000_000)
      .map((path) => ({ path, text: readFileSync(path, "utf8"), mode: statSync(path).mode & 0o777 }));
  }

  async close(): Promise<void> {
    for (const scene of this.#scenes) await scene.close();
    await rm(this.#root, { recursive: true, force: true, maxRetries: 3 });
  }

  async #start(args: readonly string[], { env, ...more }: ToolRunOptions): Promise<CommandRun> {
    const { command, env: platform, timeoutMs, signal } = this.#options;
    const run = await runCommand([...command, ...args], {
      env: { ...platform, HOME: this.home, USERPROFILE: this.home, TMPDIR: this.temporary, LANG: "C.UTF-8", ...env },
      folder: this.folder,
      timeoutMs,
      signal,
      ...more,
    });
    if (run.ended === "time-over") this.isLate = true;
    if (run.ended === "not-started") this.trouble = run.trouble ?? "unknown reason";
    for (const [code] of `${run.output}${run.errors}`.matchAll(/A2ACLI_ERR_[A-Z_]+/g)) this.learned.codes.add(code);
    return run;
  }
}

/** Returns the name of a tool: its last word that is a file, as in `node tool.js`, or else its last word without credentials. */
export function toolName(command: readonly string[]): string {
  const { secrets } = shownCommand(command);
  const isName = (word: string): boolean => !word.startsWith("-") && !secrets.some(({ value }) => word.includes(value));
  const isFile = (word: string): boolean => statSync(word, { throwIfNoEntry: false })?.isFile() ?? false;
  return basename(command.findLast(isFile) ?? command.findLast(isName) ?? command[0]!);
}

/** Measures whether the tool meets a requirement, with the expectations of the lab. */
export type Probe = (lab: ContractLab) => Promise<void>;
