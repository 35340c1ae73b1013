import { setTimeout as delay } from "node:timers/promises";
import { defined, type Part } from "@assay/protocol";
import { createMasker, createUnsentClients, type EgressGuard } from "@assay/wire";
import { checks as allChecks } from "../checks/index.ts";
import { type Observation, withNeeds } from "../define/observation.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import { type AgentFound, type Depth, depths, type ExchangeRecorded, type RunEvent } from "../report/events.ts";
import type { PromptSource } from "../stimuli/learned.ts";
import { AgentNotFound } from "./agent-not-found.ts";
import { type DiscoveredAgent, discoverAgent } from "./discover/discover-agent.ts";
import { ExchangeLog } from "./execute/exchange-log.ts";
import { announcedFor } from "./execute/lesson.ts";
import { agentFound } from "./execute/run-events.ts";
import { faultObservations, faultsAsked } from "./execute/try-faults.ts";
import { skillTries } from "./execute/try-skills.ts";
import { maskedEvent } from "./masked-event.ts";
import type { TestOptions } from "./options.ts";
import { type Allowance, Budget } from "./plan/budget.ts";
import { withExtraMessages } from "./plan/extra-messages.ts";
import { type Plan, type PlanInput, type PlannedCheck, planRun } from "./plan/plan.ts";
import { select } from "./plan/select.ts";
import { clientsFor } from "./run-clients.ts";
import { RunContext } from "./run-context.ts";
import { withTamperedTokens } from "./tampered-token.ts";
import type { InterfaceUnderTest } from "./target/interface-under-test.ts";

/** The requests of a run, found without sending them. Assay requests only the card. */
export interface Rehearsal {
  readonly agentUrl: string;
  readonly agent: Omit<AgentFound, "event">;
  readonly depth: Depth;
  /** the announced maximum of messages at each depth */
  readonly messages: Readonly<Record<Depth, number>>;
  /** the texts that a run of this depth sends, and their purpose */
  readonly texts: readonly RehearsedText[];
  /** the requests for the card, which were sent */
  readonly made: readonly RehearsedRequest[];
  /** the requests that do not depend on a response, in order; none was sent */
  readonly unsent: readonly RehearsedRequest[];
  /** the names of observations whose requests depend on responses */
  readonly later: readonly string[];
}

export interface RehearsedText {
  /** the behaviours that it should trigger */
  readonly kinds: readonly PromptKind[];
  readonly source: PromptSource;
  readonly parts: readonly Part[];
  /** sent only if a behaviour is missing, to see the response */
  readonly tried?: true;
}

/** Masked, like everything that is recorded. */
export interface RehearsedRequest extends Pick<ExchangeRecorded, "operation" | "interface" | "during"> {
  readonly request: ExchangeRecorded["entry"]["request"];
}

/** Plans a run and records what it would send. Throws AgentNotFound if there is no card. */
export async function rehearse(given: TestOptions): Promise<Rehearsal> {
  const options = withTamperedTokens({ ...given, signal: given.signal ?? new AbortController().signal });
  const { selected, filtered } = select(allChecks, options);
  const masker = createMasker(options.secrets ?? []);
  const [made, unsent] = [new RequestLog(options), new RequestLog(options)];
  const clients = clientsFor(options, made.log.recording);
  const agent = await discoverAgent(clients.http, options, (ms) => delay(ms), { asks: false }).finally(() =>
    clients.close(),
  );
  if (!agent.found) throw new AgentNotFound(agent.ending, masker.text(agent.message), masker.text(agent.hint));
  const depth = options.depth ?? (agent.isTestbed ? "full" : "quick");
  const connection = { ...options.connection, guard: sealed, proxies: {} };
  const context = await RunContext.open({
    options: { ...options, connection },
    versions: agent.versions,
    clients: clientsFor({ ...options, connection }, unsent.log.recording, createUnsentClients),
    log: unsent.log,
    isTestbed: agent.isTestbed,
    receives: depth === "full" || depth === "quick",
    observe: memoised(),
  });
  try {
    const input: PlanInput = {
      checks: selected,
      filtered,
      versions: context.versions,
      depth,
      budget: options.budget,
      rude: options.rude ?? agent.isTestbed,
    };
    const known = planRun(input);
    const [first] = context.targets;
    const extraAt = (at: Depth): Observation<unknown>[] =>
      first
        ? [
            ...skillTries(first.facts, options, at).flatMap(({ send }) => send ?? []),
            ...faultObservations(faultsAsked(options), at, context.versionOf(first.on).preconditions),
          ]
        : [];
    const withExtra = ({ allowance }: Plan, at: Depth): Allowance =>
      withExtraMessages(allowance, extraAt(at), first?.on, options.budget);
    const announced = (at: Depth): number => {
      const plan = at === depth ? known : planRun({ ...input, depth: at });
      const { plan: whole } = announcedFor(plan, { ...input, depth: at }, context, agent.isTestbed, context.targets);
      return withExtra(whole, at).messages;
    };
    context.budget = new Budget(withExtra(known, depth));
    if (depth !== "card") for (const target of context.targets) await playOn(target, known);
    for (const one of extraAt(depth)) await first?.observe(one).catch(() => {});
    // The masked event is still an AgentFound event.
    const { event: _, ...found } = maskedEvent(agentFound(agent), masker) as AgentFound;
    const requests = unsent.requests();
    return {
      agentUrl: masker.text(options.url),
      agent: found,
      depth,
      messages: Object.fromEntries(depths.map((at) => [at, announced(at)])) as Record<Depth, number>,
      texts: masker.value(textsFor(agent, context, known, input)) as RehearsedText[],
      made: made.requests(),
      unsent: requests,
      later: laterThan(requests, known),
    };
  } finally {
    await context.close();
  }
}

/** Blocks everything that bypasses the clients, such as raw bytes. */
const sealed: EgressGuard = {
  checkUrl: async () => refusal,
  checkHost: () => refusal,
  lookup: (_host, _options, callback) => callback(new Error(refusal.reason), []),
};
const refusal = { allowed: false, reason: "a dry run sends nothing" } as const;

/** Records requests in order. */
class RequestLog {
  readonly #events: ExchangeRecorded[] = [];
  readonly log: ExchangeLog;

  constructor({ secrets = [] }: TestOptions) {
    const masker = createMasker(secrets);
    this.log = new ExchangeLog(masker, (event: RunEvent) => {
      const masked = maskedEvent(event, masker);
      if (masked.event === "exchange") this.#events.push(masked);
    });
  }

  requests(): RehearsedRequest[] {
    this.log.writeRest();
    return this.#events
      .toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
      .map(({ operation, interface: on, during, entry: { request } }) => ({
        ...defined({ operation, interface: on, during }),
        request,
      }));
  }
}

/** Makes each observation once and ignores its result, because nothing is answered. */
function memoised(): <T>(one: Observation<T>, target: InterfaceUnderTest) => Promise<T> {
  const made = new Map<string, Promise<unknown>>();
  return <T>(one: Observation<T>, target: InterfaceUnderTest): Promise<T> => {
    const key = JSON.stringify([one.name, target.on, target.principal]);
    const known = made.get(key) ?? one.make(target.forObservation(one));
    made.set(key, known);
    // Names are unique, so the result of this name has this type.
    return known as Promise<T>;
  };
}

/** Makes the planned observations on an interface as far as they work without a response, and ignores the results. */
async function playOn(target: InterfaceUnderTest, plan: Plan): Promise<void> {
  const here = plan.checks.filter(({ on, instead }) => on === target.on && !instead);
  const seen = new Map<Observation<unknown>, unknown>();
  for (const one of observationsOf(here)) {
    const made = await target.observe(one).then(
      (value) => ({ value }),
      () => undefined,
    );
    if (made) seen.set(one, made.value);
  }
  for (const { check } of here) {
    if (check.kind !== "active" || !Object.values(check.uses).every((one) => seen.has(one))) continue;
    const needs = Object.entries(check.uses).map(([name, one]) => [name, seen.get(one)]);
    await Promise.resolve()
      .then(() => check.judge(Object.fromEntries(needs), target))
      .catch(() => {});
  }
}

const observationsOf = (checks: readonly PlannedCheck[]): Set<Observation<unknown>> => {
  const all = new Set<Observation<unknown>>();
  for (const { check, shownBy = [] } of checks)
    for (const one of [...(check.kind === "active" ? Object.values(check.uses) : []), ...shownBy]) withNeeds(one, all);
  return all;
};

function laterThan(requests: readonly RehearsedRequest[], plan: Plan): string[] {
  const shown = new Set(requests.flatMap(({ during }) => during ?? []));
  const planned = [...observationsOf(plan.checks.filter(({ on, instead }) => on && !instead))].map(({ name }) => name);
  return planned.filter((name) => !shown.has(name));
}

/** Returns the known prompts, each once, and those that may be tried. */
function textsFor(agent: DiscoveredAgent, context: RunContext, known: Plan, input: PlanInput): RehearsedText[] {
  if (input.depth === "card" || input.depth === "free") return [];
  const texts = new Map<string, RehearsedText & { kinds: PromptKind[] }>();
  for (const { preconditions } of context.versions)
    for (const [kind, { source, parts }] of Object.entries(preconditions.stimuli)) {
      const key = JSON.stringify([source, parts]);
      const text = texts.get(key) ?? { kinds: [], source, parts };
      // The members of stimuli are prompt kinds.
      if (!text.kinds.includes(kind as PromptKind)) text.kinds.push(kind as PromptKind);
      texts.set(key, text);
    }
  const { lesson } = announcedFor(known, input, context, agent.isTestbed, context.targets);
  const tried = (lesson?.candidates ?? []).map(({ hopedFor: kinds, source, parts }) => ({
    kinds,
    source,
    parts,
    tried: true as const,
  }));
  return [...texts.values(), ...tried];
}
