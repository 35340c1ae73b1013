import type { JsonObject } from "@assay/protocol";
import { type AgentDefinition, inputModes, outputModes } from "./agent.ts";
import { type Address, cardOf, extendedCardOf } from "./card.ts";
import type { CardSigner } from "./card-signer.ts";
import { forGuides } from "./card-v0.1.ts";
import type { Clock } from "./clock.ts";
import type { Skill } from "./define.ts";
import type { EngineOptions } from "./engine/call.ts";
import { Engine } from "./engine/engine.ts";
import { CardDesk } from "./http/cards.ts";
import { nativeDialect } from "./http/dialects.ts";
import { gate } from "./http/gate.ts";
import { type AgentHost, perform } from "./http/host.ts";
import type { Metrics } from "./http/metrics.ts";
import type { Layers } from "./layers.ts";
import type { Outside } from "./outside.ts";
import { noPush, type PushService, WebhookPush } from "./push/service.ts";
import { routeBy } from "./routing.ts";
import type { TaskStore } from "./store/store.ts";

/** An agent with its place on the site. */
export interface Stand {
  readonly host: AgentHost;
  readonly cards: CardDesk;
}

/** What all agents of a test bed stand on. */
export interface Ground {
  readonly version: string;
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly outside: Outside;
  readonly signer: CardSigner;
  readonly startedAt: number;
  /** what chance is drawn from, where an agent leaves something to it */
  readonly seed: number;
  readonly report: (error: unknown) => void;
  /** where an agent is reached, when it is asked for at this address */
  readonly addressOf: (agent: AgentDefinition, baseUrl: string) => Address;
}

/** Builds an agent from its declaration. */
export function standFor(definition: AgentDefinition, ground: Ground): Stand {
  const { layers = {} } = definition;
  const push = pushFor(definition, ground);
  const host: AgentHost = {
    definition,
    engine: engineFor(definition, push, ground),
    push,
    gate: layers.gate?.(gate) ?? gate,
    perform: layers.operations?.(perform) ?? perform,
    extendedCard: (baseUrl) => extendedCardOf(definition, ground.addressOf(definition, baseUrl), ground.version),
  };
  const print = async (baseUrl: string): Promise<JsonObject> => {
    const plain = cardOf(definition, ground.addressOf(definition, baseUrl), ground.version);
    const card = definition.signed ? await ground.signer.sign(plain, baseUrl) : plain;
    const dialect = nativeDialect(definition);
    const written = dialect.writeCard(card) as JsonObject;
    const json = dialect.version === "0.1" ? forGuides(written, definition) : written;
    return layers.card?.(json, baseUrl) ?? json;
  };
  return { host, cards: new CardDesk(print, ground.startedAt) };
}

function pushFor(definition: AgentDefinition, { clock, outside, metrics }: Ground): PushService {
  if (!definition.push) return noPush;
  return new WebhookPush({
    clock,
    post: definition.layers?.push?.(outside.post) ?? outside.post,
    refusal: outside.webhookRefusal,
    onOutcome: (outcome) => metrics.count("assay_push_total", { agent: definition.path, outcome }),
  });
}

function engineFor(
  definition: AgentDefinition,
  push: PushService,
  { store, clock, outside, metrics, report }: Ground,
): Engine {
  const { only, skills, unlisted = [], extended, conventions = [], habits = {}, layers } = definition;
  const route: EngineOptions["route"] = only
    ? () => ({ skill: only, argument: "" })
    : routeBy([...skills, ...unlisted], { secret: extended?.skills ?? [], conventions });
  return new Engine({
    store,
    clock,
    push,
    relay: outside.relay,
    route: layers?.events ? retold(route, layers.events) : route,
    inputModes: habits.anyMediaType ? ["*/*"] : inputModes,
    outputModes,
    habits,
    onSkillError: (error, skill) => {
      metrics.count("assay_skill_errors_total", { agent: definition.path, skill });
      report(error);
    },
  });
}

/** Every skill as the layer lets it be heard. */
function retold(route: EngineOptions["route"], events: NonNullable<Layers["events"]>): EngineOptions["route"] {
  return (message) => {
    const { skill, argument } = route(message);
    const told: Skill = { ...skill, run: (turn) => events(skill.run(turn), turn) };
    return { skill: told, argument };
  };
}
