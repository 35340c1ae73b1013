import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentDefinition } from "@assay/agents/making";
import type { Operation, Task } from "@assay/protocol";
import { type ClientCall, type ClientRequest, callsOf, createRequestReader, offerOf } from "@assay/suite";
import { type Exchange, Recording } from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";
import type { CommandOptions, CommandRun } from "../command.ts";
import { inOrder } from "../perform.ts";
import { selfSigned } from "../self-signed.ts";
import { agentPath } from "../stage.ts";
import { begin } from "../stages/arranged-task.ts";

/** One run of the tool, with the requests that it sent. */
export interface ToolRun extends CommandRun {
  /** its command line, without machine addresses */
  readonly command: string;
  /** the requests of this run; only after the scene is closed */
  requests(): readonly ClientRequest[];
  calls(...operations: readonly Operation[]): readonly ClientCall[];
}

export interface ToolRunOptions extends Pick<CommandOptions, "input" | "onOutput" | "interrupt"> {
  /** additional environment variables */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the tool with these arguments. */
export type Start = (args: readonly string[], options: ToolRunOptions) => Promise<CommandRun>;

export interface SceneOptions {
  readonly version: string;
  /** the name of the tool in command lines */
  readonly tool: string;
  readonly start: Start;
  /** replaces addresses and folders of this machine in a text that may be published */
  readonly publishable: (text: string) => string;
  /** served with a certificate that no tool should trust */
  readonly untrusted?: boolean;
}

/** Skills are slow only for human viewers, so shorten their delays. */
const timeScale = 0.1;

/** An agent with known behaviour on its own port, and the runs of the tool against it. */
export class Scene {
  readonly url: string;
  readonly cardUrl: string;
  readonly #bed: Testbed;
  readonly #options: SceneOptions;
  readonly #exchanges: Exchange[] = [];
  readonly #counter: { issued: number; readonly handshakes: number };
  #requests: readonly ClientRequest[] | undefined;

  static async open(agent: AgentDefinition, options: SceneOptions): Promise<Scene> {
    const counter = { issued: 0, handshakes: 0 };
    const recording = new Recording({
      keep: false,
      issueId: () => {
        counter.issued += 1;
        return `e${counter.issued}`;
      },
    });
    const bed = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: options.version,
      timeScale,
      agents: [agent],
      root: agentPath,
      recorder: new ServedRecorder(recording, ({ bytes }) => {
        // The first bytes of TLS.
        if (bytes[0] === 0x16 && bytes[1] === 0x03) counter.handshakes += 1;
      }),
      ...(options.untrusted && { tls: selfSigned() }),
    });
    const scene = new Scene(bed, options, counter);
    recording.onExchange((exchange) => scene.#exchanges.push(exchange));
    return scene;
  }

  private constructor(bed: Testbed, options: SceneOptions, counter: { issued: number; readonly handshakes: number }) {
    this.#bed = bed;
    this.#options = options;
    this.#counter = counter;
    this.url = bed.url;
    this.cardUrl = `${bed.url}/${agentPath}/.well-known/agent-card.json`;
  }

  /** Starts a task before the tool runs, and returns it while it works or when it is done. */
  task(returnImmediately = false): Promise<Task> {
    return begin(this.#bed, agentPath, { returnImmediately });
  }

  card(): Promise<unknown> {
    return this.#bed.cardOf(agentPath)!;
  }

  /** Returns how often the tool started TLS on the plain port of the agent; only after the scene is closed. */
  handshakes(): number {
    return this.#counter.handshakes;
  }

  /** Runs the tool with `--agent-card` leading here, unless the arguments name another card. */
  async run(args: readonly string[], options: ToolRunOptions = {}): Promise<ToolRun> {
    const whole = args.includes("--agent-card") ? args : [...args, "--agent-card", this.url];
    return this.runAsIs(whole, options);
  }

  async runAsIs(args: readonly string[], options: ToolRunOptions = {}): Promise<ToolRun> {
    const from = this.#counter.issued;
    const run = await this.#options.start(args, options);
    const to = this.#counter.issued;
    const requests = (): readonly ClientRequest[] => this.#between(from, to);
    const variables = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value} `);
    return {
      ...run,
      output: run.output.replaceAll(/\r\n/g, "\n"),
      command: this.#options.publishable(`${variables.join("")}${[this.#options.tool, ...args].map(quoted).join(" ")}`),
      requests,
      calls: (...operations) =>
        callsOf(requests()).filter(
          ({ operation }) => !operations.length || (operation !== undefined && operations.includes(operation)),
        ),
    };
  }

  /** Stops the agent. Only then are all requests recorded. */
  async close(): Promise<void> {
    if (this.#requests) return;
    this.#requests = [];
    const card = await this.#bed.cardOf(agentPath)!;
    const read = await createRequestReader(offerOf(card, `${this.url}/.well-known/agent-card.json`));
    await this.#bed.close(0);
    this.#requests = inOrder(this.#exchanges).map(read);
  }

  #between(from: number, to: number): readonly ClientRequest[] {
    return (this.#requests ?? []).filter(({ exchange }) => {
      const number = Number(exchange.id.slice(1));
      return number > from && number <= to;
    });
  }
}

const quoted = (word: string): string => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word}'`);
