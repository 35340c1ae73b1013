import { createEgressGuard, createHostCheck, type Limits, listen, type WireServer } from "@assay/wire/server";
import { type AgentDefinition, inputModes, outputModes } from "./agent.ts";
import { agents as allAgents } from "./agents/index.ts";
import { cardOf, extendedCardOf } from "./card.ts";
import { CardSigner } from "./card-signer.ts";
import { type Clock, systemClock } from "./clock.ts";
import { Engine } from "./engine/engine.ts";
import { CardDesk } from "./http/cards.ts";
import type { AgentHost } from "./http/host.ts";
import { Metrics } from "./http/metrics.ts";
import { routeSite, type Stand } from "./http/router.ts";
import { createOutside, type Outside } from "./outside.ts";
import { noPush, type PushService, WebhookPush } from "./push/service.ts";
import { byKeyword } from "./routing.ts";
import { MemoryStore } from "./store/memory.ts";

export interface TestbedOptions {
  readonly host: string;
  readonly port: number;
  readonly version: string;
  readonly publicUrl?: string;
  /** hosts that the test bed may call and be called by, besides its own */
  readonly allowedHosts?: readonly string[];
  /** lets webhooks and relays reach private networks */
  readonly allowPrivate?: boolean;
  readonly origins?: readonly string[];
  readonly timeScale?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly limits?: Partial<Limits>;
  readonly maxTasks?: number;
  readonly onError?: (error: unknown) => void;
}

export interface Testbed {
  readonly url: string;
  readonly port: number;
  readonly agents: readonly AgentDefinition[];
  close(graceMs?: number): Promise<void>;
}

/** Starts every agent of the test bed on one port. */
export async function startTestbed(options: TestbedOptions): Promise<Testbed> {
  const clock = systemClock(options.timeScale);
  const report = options.onError ?? (() => {});
  const store = new MemoryStore(clock.now, options.maxTasks === undefined ? {} : { tasks: options.maxTasks });
  const signer = new CardSigner();
  // Bound to loopback, the test bed serves this machine, and its webhooks are on this machine too.
  const guard = createEgressGuard({
    allowLoopback: isLoopback(options.host) || options.allowPrivate === true,
    allowPrivate: options.allowPrivate === true,
    allowHosts: options.allowedHosts ?? [],
  });
  const outside = createOutside(guard, options.version);
  const metrics: Metrics = new Metrics({
    assay_tasks: () => store.size,
    assay_connections: () => server?.connections ?? 0,
  });
  const startedAt = clock.now();
  const stands = new Map(
    allAgents.map((definition): [string, Stand] => {
      const host = hostOf(definition, options.version, { store, clock, metrics, report, outside });
      const make = async (baseUrl: string) => {
        const card = cardOf(definition, baseUrl, options.version);
        return definition.signed ? signer.sign(card, baseUrl) : card;
      };
      return [definition.path, { host, cards: new CardDesk(make, startedAt) }];
    }),
  );
  const { publicUrl, allowedHosts } = options;
  const hostAllowed = createHostCheck({
    boundHost: options.host,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(allowedHosts === undefined ? {} : { allowed: allowedHosts }),
  });
  let closing = false;
  let server: WireServer | undefined;
  server = await listen({
    host: options.host,
    port: options.port,
    onInternalError: report,
    ...(options.tls ? { tls: options.tls } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    handler: routeSite({
      stands,
      root: stands.get("spec")!,
      jwks: () => signer.jwks(),
      metrics,
      origins: options.origins ?? [],
      publicUrl: publicUrl?.replace(/\/+$/, ""),
      hostAllowed,
      isReady: () => !closing,
      report,
    }),
  });
  return {
    url: server.url,
    port: server.port,
    agents: allAgents,
    async close(graceMs) {
      closing = true;
      await Promise.all([...stands.values()].map(({ host }) => host.engine.close()));
      await server.close(graceMs);
      for (const { host } of stands.values()) host.push.close();
      await outside.close();
    },
  };
}

interface Shared {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly report: (error: unknown) => void;
  readonly outside: Outside;
}

const isLoopback = (host: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);

function hostOf(
  definition: AgentDefinition,
  version: string,
  { store, clock, metrics, report, outside }: Shared,
): AgentHost {
  const push: PushService = definition.push
    ? new WebhookPush({
        clock,
        post: outside.post,
        refusal: outside.webhookRefusal,
        onOutcome: (outcome) => metrics.count("assay_push_total", { agent: definition.path, outcome }),
      })
    : noPush;
  const { only } = definition;
  const route = byKeyword([...definition.skills, ...(definition.unlisted ?? [])], definition.extended?.skills);
  const engine = new Engine({
    store,
    clock,
    push,
    relay: outside.relay,
    route: only ? () => ({ skill: only, argument: "" }) : route,
    inputModes,
    outputModes,
    onSkillError: (error, skill) => {
      metrics.count("assay_skill_errors_total", { agent: definition.path, skill });
      report(error);
    },
  });
  return { definition, engine, push, extendedCard: (baseUrl) => extendedCardOf(definition, baseUrl, version) };
}
