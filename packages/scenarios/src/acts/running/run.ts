import { setTimeout as delay } from "node:timers/promises";
import { isObject, type JsonValue } from "@assay/protocol";
import { AgentNotFound, Obstacle } from "@assay/suite";
import { createMasker, type Masker } from "@assay/wire";
import { type ActsFile, transports as allTransports, type Suite, type Test, type Transport } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";
import type { RunName, TestOutcome } from "../reporting/outcome.ts";
import { type ActsAgent, cardReader } from "./agent.ts";
import { askOperation } from "./ask.ts";
import { bindingOf, secondRunFor, unmet } from "./gating.ts";
import { rowOf, runTest, type TestPlace } from "./run-test.ts";

/**
 * Opens an agent or returns the open one, by its path below --url and by the run; undefined if there is none.
 */
export type AgentSource = (path: string | undefined, run: RunName) => Promise<ActsAgent | undefined>;

export interface ActsRunOptions {
  readonly files: readonly ActsFile[];
  readonly agents: AgentSource;
  /** which tests, and over which bindings (default: all) */
  readonly only?: (test: Test, transport?: Transport) => boolean;
  /** the bindings to run on (default: all on the card) */
  readonly transports?: readonly Transport[];
  /** variables of the user */
  readonly given?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** the agent's behaviours (default: Assay tests whether it supports the contract at all) */
  readonly behaviours?: "all" | ReadonlySet<string>;
  /** maximum number of concurrent tests */
  readonly concurrency?: number;
  readonly masker?: Masker;
  readonly signal?: AbortSignal;
  /** called with the planned rows */
  readonly onStart?: (rows: readonly string[]) => void;
  readonly onOutcome?: (outcome: TestOutcome) => void;
}

/** One test with its verdict on each binding. */
export interface TestedTest {
  readonly test: Test;
  readonly outcomes: readonly TestOutcome[];
}

export interface TestedSuite {
  readonly id: string;
  readonly name: string;
  readonly file: ActsFile;
  readonly tests: readonly TestedTest[];
}

/** Runs a corpus on an agent. Every test gets a verdict on each of its bindings. */
export async function runCorpus(options: ActsRunOptions): Promise<TestedSuite[]> {
  return new CorpusRun(options).run();
}

interface Job {
  readonly file: ActsFile;
  readonly test: Test;
  readonly transport: Transport;
  /** why it cannot be run */
  readonly because?: string;
  /** the agent of the file does not exist */
  readonly isAbandoned?: boolean;
}

class CorpusRun {
  readonly #options: ActsRunOptions;
  /** support of the contract by each agent, keyed by its path */
  readonly #contracts = new Map<string | undefined, Promise<boolean>>();

  constructor(options: ActsRunOptions) {
    this.#options = options;
  }

  async run(): Promise<TestedSuite[]> {
    const { files, only = () => true, concurrency = 4, onStart, onOutcome } = this.#options;
    const chosen: { file: ActsFile; suite: Suite; tests: Test[] }[] = files.flatMap((file) =>
      file.suites
        .map((suite) => ({ file, suite, tests: suite.tests.filter((test) => only(test)) }))
        .filter(({ tests }) => tests.length),
    );
    const jobs: Job[] = [];
    for (const { file, tests } of chosen)
      for (const test of tests) jobs.push(...(await this.#placesOf(test)).map((place) => ({ file, test, ...place })));
    onStart?.(jobs.map(({ test, transport }) => rowOf(test, transport)));
    const outcomes = new Map<Job, TestOutcome>();
    let told = 0;
    await inPool(jobs, concurrency, async (job) => {
      outcomes.set(job, this.#masked(await this.#make(job)));
      // Reported in order, whichever was done first.
      for (; told < jobs.length && outcomes.has(jobs[told]!); told++) onOutcome?.(outcomes.get(jobs[told]!)!);
    });
    return chosen.map(({ file, suite: { id, name }, tests }) => ({
      id,
      name,
      file,
      tests: tests.map((test) => ({
        test,
        outcomes: jobs.filter((job) => job.test === test).map((job) => outcomes.get(job)!),
      })),
    }));
  }

  /** Masks an outcome, which may contain the agent's address; failures were masked earlier. */
  #masked(outcome: TestOutcome): TestOutcome {
    const { masker } = this.#options;
    if (!masker) return outcome;
    const { reason, notes } = outcome;
    return { ...outcome, ...(reason !== undefined && { reason: masker.text(reason) }), notes: masker.value(notes) };
  }

  /**
   * Returns the bindings of a test; if there are none, one place with the reason, so that every test has a
   * verdict.
   */
  async #placesOf(test: Test): Promise<Pick<Job, "transport" | "because" | "isAbandoned">[]> {
    const wanted = test.transports ?? allTransports;
    const agent = await this.#agent(test.agent, "main");
    if (typeof agent === "string") return [{ transport: wanted[0]!, because: agent, isAbandoned: true }];
    const declared = inOrder
      .filter((each) => wanted.includes(each))
      .filter((each) => agent.targets.some(({ on }) => on.binding === bindingOf[each]));
    const here = declared.filter((each) => this.#options.transports?.includes(each) ?? true);
    const { only = () => true } = this.#options;
    const chosen = here.filter((transport) => only(test, transport));
    if (here.length) return chosen.map((transport) => ({ transport }));
    if (!declared.length && readsCardOnly(test)) return [{ transport: wanted[0]! }];
    const names = wanted.map((each) => bindingOf[each]).join(", ");
    const because = declared.length
      ? `it is for ${names}, which --binding excludes`
      : `the card declares no interface of ${names} that is tested here`;
    return [{ transport: wanted[0]!, because }];
  }

  async #agent(path: string | undefined, run: RunName): Promise<ActsAgent | string> {
    try {
      return (await this.#options.agents(path, run)) ?? `needs a second run: --${run}-url <url>`;
    } catch (error) {
      if (error instanceof AgentNotFound) return error.message;
      throw error;
    }
  }

  async #make({ file, test, transport, because, isAbandoned }: Job): Promise<TestOutcome> {
    const { signal, given = {}, env = {}, masker = createMasker([]) } = this.#options;
    if (because !== undefined)
      return isAbandoned ? abandoned(test, transport, because) : skipped(test, transport, because);
    if (signal?.aborted) return skipped(test, transport, "the run was interrupted");
    if (!/^1(\.|$)/.test(file.specVersion))
      return skipped(
        test,
        transport,
        `it is written for A2A ${file.specVersion}; operations are sent in the format of 1.0`,
      );
    const rules: QuirkRule[] = [];
    const found = await this.#targetOf(test, transport, (rule) => rules.push(rule));
    if (typeof found === "string") return skipped(test, transport, found, rules);
    const { run, agent, target } = found;
    const missing = await this.#missingBehaviour(test);
    if (missing !== undefined) return skipped(test, transport, missing);
    if (test.requirements.includes("webhook_endpoint") && !agent.webhook && given["webhookUrl"] === undefined)
      return skipped(test, transport, "needs an address where the agent can reach Assay: --webhook-url <url>");
    return repeated(test, {
      agent,
      target,
      run,
      transport,
      variables: file.variables,
      given,
      env,
      sleep: (ms) => delay(ms, undefined, { ...(signal && { signal }) }).catch(() => {}),
      masker,
    });
  }

  /** Returns the agent for a test: its own, or that of a second run. Otherwise the reason. */
  async #targetOf(test: Test, transport: Transport, apply: (rule: QuirkRule) => void): Promise<TestTarget | string> {
    const second = secondRunFor(test.preconditions);
    let because = "";
    for (const run of second ? (["main", second] as const) : (["main"] as const)) {
      const agent = await this.#agent(test.agent, run);
      if (typeof agent === "string") return because ? `${because}; ${agent}` : agent;
      const reason = unmet(test, agent, apply);
      const target =
        agent.targets.find(({ on }) => on.binding === bindingOf[transport]) ?? readerFor(test, agent, transport);
      if (reason === undefined && target) return { run, agent, target };
      because = reason ?? `the card of the ${run} run declares no ${bindingOf[transport]} interface`;
    }
    return because;
  }

  async #missingBehaviour({ behaviours: needed, agent }: Test): Promise<string | undefined> {
    const { behaviours, agents } = this.#options;
    if (!needed.length || behaviours === "all") return undefined;
    if (behaviours) {
      const missing = needed.find((each) => !behaviours.has(each));
      return missing && `the agent does not support the behaviour ${missing}`;
    }
    const known =
      this.#contracts.get(agent) ?? agents(agent, "main").then((one) => (one ? offersContract(one) : false));
    this.#contracts.set(agent, known);
    if (await known) return undefined;
    return "the agent does not react to ACTS keywords such as tck-complete-task (if it does: --behaviours all)";
  }
}

/** The bindings in display order. */
const inOrder: readonly Transport[] = ["jsonrpc", "rest", "grpc"];

/**
 * Repeats a failed test that depends on a working task: it may come too late on a busy or distant machine.
 * What fails every time is judged.
 */
async function repeated(test: Test, place: TestPlace): Promise<TestOutcome> {
  const attempts = test.behaviours.includes("tck-long-running") ? 3 : 1;
  for (let attempt = 1; ; attempt++) {
    const outcome = await runTest(test, place);
    if (outcome.verdict !== "fail" || attempt >= attempts)
      return attempt === 1 ? outcome : { ...outcome, notes: [...outcome.notes, `on attempt ${attempt}`] };
  }
}

const readsCardOnly = ({ steps }: Test): boolean =>
  steps.every((step) => step.is === "assertion" || (step.is === "operation" && step.operation === "get_agent_card"));

const readerFor = (test: Test, agent: ActsAgent, transport: Transport): ActsAgent["targets"][number] | undefined =>
  readsCardOnly(test) ? cardReader(agent, bindingOf[transport]) : undefined;

type TestTarget = { readonly run: RunName; readonly agent: ActsAgent; readonly target: ActsAgent["targets"][number] };

const skipped = (test: Test, transport: Transport, reason: string, rules: readonly QuirkRule[] = []): TestOutcome => ({
  id: test.id,
  name: test.name,
  level: test.level,
  row: rowOf(test, transport),
  transport,
  run: "main",
  verdict: "skip",
  reason,
  durationMs: 0,
  steps: [],
  rules: [...test.rules, ...rules.map((rule) => ({ rule }))],
  notes: [],
  at: test.at,
  ...(test.specRef !== undefined && { specRef: test.specRef }),
});

/** Returns an error for the missing agent of a file, so that it is not overlooked. */
function abandoned(test: Test, transport: Transport, message: string): TestOutcome {
  const { reason: _, ...outcome } = skipped(test, transport, message);
  const failure = { step: test.steps[0]?.id ?? "", message, expected: "an agent with a card", more: [], at: test.at };
  return { ...outcome, verdict: "fail", failure };
}

/** Runs jobs in order with limited concurrency. */
async function inPool<T>(jobs: readonly T[], size: number, work: (job: T) => Promise<void>): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: size }, async () => {
      for (const job of queue) await work(job);
    }),
  );
}

/**
 * Returns true if an agent supports the ACTS keywords. Most agents do not, and would fail on
 * "tck-complete-task". Two messages show it: one must return a message, the other a task.
 */
async function offersContract(agent: ActsAgent): Promise<boolean> {
  const [target] = agent.targets;
  if (!target) return false;
  const ask = async (text: string): Promise<JsonValue | undefined> => {
    const params = { message: { role: "ROLE_USER", parts: [{ text }] } };
    return askOperation({ operation: "send_message" }, params, target, agent, () => {}).then(
      ({ root }) => root,
      // An obstacle leaves this unknown; each test reports it for itself.
      (error: unknown) => {
        if (error instanceof Obstacle) return undefined;
        throw error;
      },
    );
  };
  const [message, task] = [await ask("tck-message-response hello"), await ask("tck-complete-task hello")];
  return isObject(message) && "message" in message && isObject(task) && "task" in task;
}
