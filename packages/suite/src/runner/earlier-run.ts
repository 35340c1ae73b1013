import { createHash } from "node:crypto";
import { UsageError } from "@assay/protocol/assay-error";
import type { Masker, PeerInterface } from "@assay/wire";
import { canonicalText } from "../card/card-digest.ts";
import type { PrincipalName } from "../define/principal.ts";
import type { ExchangeRecorded, ResumedRun, RunEvent, RunStarted } from "../report/events.ts";
import { foldRun } from "../report/fold.ts";
import { type ConformanceResult, interfaceKey, ruleKey } from "../report/result.ts";
import { credentialsOf } from "./credentials.ts";
import { interfaceName } from "./interface-name.ts";
import type { TestOptions } from "./options.ts";

/** The facts that must match for one run to resume another. */
export interface RunIdentity extends Pick<RunStarted, "agentUrl" | "ruleSet" | "asked"> {
  readonly tool: string;
  readonly cardDigest: string;
}

/** An interrupted run. Its finished results stay, and Assay does not repeat them. */
export class EarlierRun {
  readonly #started: RunStarted;
  readonly #cardDigest: string | undefined;
  readonly #exchanges: readonly ExchangeRecorded[];
  readonly #events: readonly RunEvent[];
  readonly #results: ReadonlyMap<string, ConformanceResult>;

  constructor(events: readonly RunEvent[]) {
    const [started] = events;
    if (started?.event !== "run-started")
      throw new TypeError("The first event of a run must be run-started, and this run has another one.");
    this.#started = started;
    this.#events = events;
    this.#cardDigest = events.find((event) => event.event === "agent-found")?.cardDigest;
    this.#exchanges = events.filter((event) => event.event === "exchange");
    const finished = events.flatMap((event) =>
      event.event === "check-finished" && isFinished(event.result) ? [event.result] : [],
    );
    this.#results = new Map(finished.map((result) => [placeOf(result), { from: started.run, ...result }]));
  }

  /** The number of exchanges so far, to continue the numbering. */
  get issued(): number {
    return Math.max(0, ...this.#exchanges.map(({ id }) => Number(id.replace(/\D/g, ""))));
  }

  get facts(): ResumedRun {
    const { run, at } = this.#started;
    const { summary, duration_ms } = foldRun(this.#events);
    return { run, at, results: this.#results.size, workingMessages: summary.workingMessages, duration_ms };
  }

  /** The events that the resumed run repeats at its start: the traffic and the results. */
  get kept(): RunEvent[] {
    return [
      ...this.#exchanges,
      ...this.#events.filter((event) => event.event === "lifecycle-seen"),
      ...[...this.#results.values()].map((result) => ({ event: "check-finished" as const, result })),
    ];
  }

  /** Throws if the earlier run differs, because then its results do not apply. */
  assertSame(now: RunIdentity): void {
    const { agentUrl, ruleSet, asked = {}, tool, run } = this.#started;
    const refuse = (what: string): never => {
      throw new UsageError(`--resume ${run}: ${what}`, "Start a new run without --resume.");
    };
    if (agentUrl !== now.agentUrl) refuse(`that run tested ${agentUrl}`);
    if (this.#cardDigest === undefined) refuse("that run ended before it read the card, so there is nothing to resume");
    if (this.#cardDigest !== now.cardDigest) refuse("the agent's card has changed since that run");
    if (tool.version !== now.tool) refuse(`that run used assay ${tool.version}, and this is assay ${now.tool}`);
    if (ruleSet !== now.ruleSet) refuse(`that run used the rule set ${ruleSet}, and this run would use ${now.ruleSet}`);
    const wished = now.asked ?? {};
    for (const name of new Set([...Object.keys(asked), ...Object.keys(wished)]))
      if (asked[name] !== wished[name])
        refuse(`${name} was ${asked[name] ?? "not given"}, and is ${wished[name] ?? "not given"} now`);
  }

  /** Returns true if the earlier run finished a rule on an interface, or on the whole agent. */
  isFinished(test: string, dialect: string, on: PeerInterface | undefined, masker: Masker): boolean {
    const whole = placeOf({ test, dialect });
    return (
      this.#results.has(whole) ||
      (on !== undefined && this.#results.has(placeOf({ test, dialect, interface: masked(on, masker) })))
    );
  }

  /** Returns the results in one version, with the current names of the interfaces. */
  resultsIn(dialect: string, interfaces: readonly PeerInterface[], masker: Masker): ConformanceResult[] {
    return [...this.#results.values()]
      .filter((result) => result.dialect === dialect)
      .map((result) => {
        const on = interfaces.find((each) => interfaceKey(masked(each, masker)) === interfaceKey(result.interface));
        return on ? { ...result, interface: interfaceName(on) } : result;
      });
  }
}

/** Recorded names are masked. */
const masked = (on: PeerInterface, masker: Masker) => {
  const { url, dialect, binding } = interfaceName(on);
  return { url: masker.text(url), dialect, binding };
};

const placeOf = (result: Pick<ConformanceResult, "test" | "dialect" | "interface">): string =>
  `${ruleKey(result)} ${interfaceKey(result.interface)}`;

/** Interrupted checks and internal errors are examined again. */
const isFinished = ({ verdict, unexamined }: ConformanceResult): boolean =>
  verdict !== "error" && unexamined !== "interrupted";

/** Returns the options that decide what is examined and how it is judged. Contents are digests. */
export function askedFor(options: TestOptions, depth: string): Record<string, string> {
  const { bindings, dialects, only, skip, strict, rude, production, convention, useExamples, skills, card } = options;
  const digest = (value: unknown): string | undefined =>
    value === undefined ? undefined : createHash("sha256").update(canonicalText(value)).digest("hex").slice(0, 12);
  /** the names of the credentials; a certificate has none */
  const shown = (principal: PrincipalName): string | undefined => {
    const { headers, query = [], certificate } = credentialsOf(principal, options);
    const names = [...headers, ...query].map(([name]) => name.toLowerCase()).sort();
    return [...names, ...(certificate ? ["a certificate"] : [])].join(", ") || undefined;
  };
  const asked: Record<string, string | undefined> = {
    "--depth": depth,
    "--binding": bindings?.join(", "),
    "--dialect": dialects?.join(", "),
    "--only": only?.join(", "),
    "--skip": skip?.join(", "),
    "--strict": strict ? "on" : undefined,
    "--rude": rude ? "on" : undefined,
    "--faults": options.faults ? "on" : undefined,
    "--production": production ? "on" : undefined,
    "--redact": options.redact ? "on" : undefined,
    "--use-examples": useExamples ? "on" : undefined,
    "--convention": convention,
    "--skill": skills?.join(", "),
    "--card": card,
    prompts: digest(options.prompts),
    expectations: digest(options.expectations),
    login: shown("user"),
    "principals.second": shown("second"),
    "principals.restricted": shown("restricted"),
    "principals.invalid": Object.keys(options.principals?.invalid ?? {}).join(", ") || undefined,
  };
  return Object.fromEntries(Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
