import { defined, type JsonObject } from "@assay/protocol/core";
import type { Ledger } from "@assay/wire/server";
import { type Address, cardOf, extendedCardOf } from "../card/card.ts";
import { type CardCache, CardEndpoint } from "../card/card-endpoint.ts";
import type { CardSigner } from "../card/card-signer.ts";
import { forGuides } from "../card/card-v0.1.ts";
import type { Identity } from "../definition/access.ts";
import { type AgentDefinition, inputModes, outputModes } from "../definition/agent.ts";
import type { Clock } from "../definition/clock.ts";
import type { Layers } from "../definition/layers.ts";
import type { Skill, SkillEvent, Turn } from "../definition/skill.ts";
import { Engine } from "../engine/engine.ts";
import type { EventTurns } from "../engine/event-turns.ts";
import type { EngineOptions } from "../engine/options.ts";
import { routeBy } from "../engine/routing.ts";
import { agentLabel, type Metrics } from "../operating/metrics.ts";
import { routeWithSpans } from "../operating/traced-parts.ts";
import type { Tracing } from "../operating/tracing.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { chargedRelay } from "../outbound/relay-budget.ts";
import type { RetryPolicy } from "../push/retries.ts";
import { noPush, type PushService } from "../push/service.ts";
import { admissionWith, limitedAdmission } from "../server/admission.ts";
import { authorisationUrl } from "../server/authorisation-url.ts";
import { loadOlder, nativeDialect, nativeVersion } from "../server/dialects.ts";
import { performWith } from "../server/perform.ts";
import type { CallerQuotas, Quotas } from "../server/quotas.ts";
import type { ServedAgent } from "../server/served-agent.ts";
import type { DeadLetter } from "../store/dead-letter.ts";
import type { TaskKeeping } from "./task-keeping.ts";

/** Services that the agents of one test bed share. */
export interface TestbedServices {
  readonly version: string;
  readonly keeping: TaskKeeping;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly turns: EventTurns;
  readonly metrics: Metrics;
  readonly outbound: Outbound;
  readonly signer: CardSigner;
  readonly identity: Identity;
  readonly cards: CardCache;
  readonly startedAt: number;
  readonly report: (error: unknown) => void;
  /** limits of one caller */
  readonly quotas: Quotas;
  /** counts requests and streams, if they are limited */
  readonly callers: CallerQuotas | undefined;
  /** retry policy of notifications (default: that of the delivery) */
  readonly retries?: RetryPolicy | undefined;
  /** called for every undelivered notification */
  readonly onUndelivered?: ((agent: string, letter: DeadLetter) => void) | undefined;
  readonly tracing: Tracing | undefined;
  /** the addresses of an agent for a client that reached the test bed at this URL */
  readonly addressOf: (agent: AgentDefinition, baseUrl: string) => Address;
}

/** Builds the running parts of an agent from its declaration. */
export function buildAgent(definition: AgentDefinition, services: TestbedServices): ServedAgent {
  const { layers = {} } = definition;
  const { addressOf, signer, startedAt, version } = services;
  const push = pushFor(definition, services);
  const admission = admissionWith(services.identity);
  const { callers } = services;
  const admitted = layers.admission?.(admission) ?? admission;
  const print = async (baseUrl: string): Promise<JsonObject> => {
    const plain = cardOf(definition, addressOf(definition, baseUrl), version);
    const card = definition.signed ? await signer.sign(plain, baseUrl) : plain;
    if (nativeVersion(definition) !== "1.0") await loadOlder();
    const dialect = nativeDialect(definition);
    const written = dialect.writeCard(card) as JsonObject;
    const json = dialect.version === "0.1" ? forGuides(written, card) : written;
    return layers.card?.(json, baseUrl) ?? json;
  };
  const parts = {
    definition,
    engine: engineFor(definition, push, services),
    push,
    identity: services.identity,
    extendedCard: (baseUrl: string) => extendedCardOf(definition, addressOf(definition, baseUrl), version),
  };
  const perform = performWith(parts);
  return {
    ...parts,
    cards: new CardEndpoint(definition.path, print, startedAt, services.cards),
    admission: callers ? limitedAdmission(admitted, callers) : admitted,
    quotas: callers,
    perform: layers.operations?.(perform, parts) ?? perform,
    card: print,
  };
}

function pushFor(
  definition: AgentDefinition,
  { clock, outbound, ledger, metrics, keeping, quotas, retries, onUndelivered }: TestbedServices,
): PushService {
  if (!definition.push) return noPush;
  return keeping.webhooks({
    clock,
    ledger,
    post: definition.layers?.push?.(outbound.post) ?? outbound.post,
    refusal: outbound.webhookRefusal,
    ...defined({ retries, webhooksPerTask: quotas.webhooksPerTask }),
    onOutcome: (outcome) => metrics.count("assay_push_total", { agent: agentLabel(definition.path), outcome }),
    onUndelivered(recipient, letter) {
      keeping.deadLetters.add(recipient, letter);
      onUndelivered?.(definition.path, letter);
    },
  });
}

function engineFor(
  definition: AgentDefinition,
  push: PushService,
  { keeping, ledger, clock, turns, outbound, metrics, quotas, report, tracing }: TestbedServices,
): Engine {
  const { only, otherwise, skills, unlisted = [], extended, conventions = [], habits = {}, layers } = definition;
  const route: EngineOptions["route"] = only
    ? () => ({ skill: only, argument: "" })
    : routeBy([...skills, ...unlisted], {
        secret: extended?.skills ?? [],
        conventions,
        ...(otherwise ? { otherwise } : {}),
      });
  const changed = layers?.events ? withEvents(route, layers.events) : route;
  const { store, expiry, tokens, onUnended } = keeping;
  return new Engine({
    store,
    clock,
    turns,
    push,
    ...defined({ expiry, tokens, onUnended }),
    authorisationUrl: ({ baseUrl, tenant = "" }, id) =>
      baseUrl === undefined ? undefined : authorisationUrl(baseUrl, definition, tenant, id),
    onStoreError: report,
    relay: chargedRelay(outbound.relay, ledger),
    route: tracing ? routeWithSpans(changed, tracing) : changed,
    ...(limitsTasks(quotas) && { limits: quotas }),
    inputModes: habits.anyMediaType ? ["*/*"] : inputModes,
    outputModes,
    // Its card says that tasks keep their history (card-v0.1.ts).
    habits: nativeVersion(definition) === "0.1" ? { ...habits, statesInWords: true } : habits,
    onSkillError: (error, skill) => {
      metrics.count("assay_skill_errors_total", { agent: agentLabel(definition.path), skill });
      report(error);
    },
  });
}

const limitsTasks = ({ historyMessages, artifactBytes }: Quotas): boolean =>
  historyMessages !== undefined || artifactBytes !== undefined;

async function* eventsOf(skill: Skill, turn: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  yield* skill.run(turn);
}

/** Wraps the skills of a route so that their events pass through the layer. */
function withEvents(route: EngineOptions["route"], events: NonNullable<Layers["events"]>): EngineOptions["route"] {
  return (message) => {
    const { skill, argument } = route(message);
    const changed: Skill = { ...skill, run: (turn) => events(eventsOf(skill, turn), turn) };
    return { skill: changed, argument };
  };
}
