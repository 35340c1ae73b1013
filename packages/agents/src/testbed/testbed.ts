import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "@assay/protocol/assay-error";
import { type AnswerOf, isLoopback } from "@assay/protocol/core";
import {
  createEgressGuard,
  createHostCheck,
  type GrpcHandler,
  type Handler,
  Ledger,
  listen,
  type WireServer,
} from "@assay/wire/server";
import { agents as allAgents, type HomeAgents, homes } from "../agents/index.ts";
import type { Address } from "../card/card.ts";
import { CardCache } from "../card/card-endpoint.ts";
import { CardSigner } from "../card/card-signer.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { scopeOf } from "../definition/call.ts";
import { systemClock } from "../definition/clock.ts";
import type { Skill } from "../definition/skill.ts";
import { EventTurns } from "../engine/event-turns.ts";
import { isOidcInstalled } from "../identity/oidc/library.ts";
import { mountOidc } from "../identity/oidc/mount.ts";
import { TokenKeys } from "../identity/token-keys.ts";
import { JwtVerifier } from "../identity/token-verifier.ts";
import { Metrics } from "../operating/metrics.ts";
import { processGauges } from "../operating/process-gauges.ts";
import { Readiness } from "../operating/readiness.ts";
import { watched, watchedGrpc } from "../operating/request-log.ts";
import { RequestMeter } from "../operating/request-meter.ts";
import { StoreOutage } from "../operating/store-outage.ts";
import { aroundStore } from "../operating/timed-store.ts";
import { outboundWithSpans } from "../operating/traced-parts.ts";
import { type Tracing, traced } from "../operating/tracing.ts";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";
import { AgentDirectory, diverged, type Families } from "../server/agent-directory.ts";
import { loadOlder, nativeVersion } from "../server/dialects.ts";
import { callerQuotas } from "../server/quotas.ts";
import { routeOperations, routeSite, type Site } from "../server/router.ts";
import { relayWith } from "../skills/relay.ts";
import { letterRoomFor } from "../store/dead-letter.ts";
import { buildAgent, type TestbedServices } from "./build-agent.ts";
import type { Testbed, TestbedOptions } from "./options.ts";
import { inProfile } from "./profiles.ts";
import { inMemory, type KeepingOptions, type TaskKeeping } from "./task-keeping.ts";

const hourMs = 3_600_000;
/** Time for the last events of tasks to reach their followers; a database must be queried for them. */
const tellMs = 300;

/**
 * A host name from a client keeps its addresses for this long, which is longer than the retries of a
 * notification.
 */
const pinMs = 600_000;

/** The parts of a test bed that its ports and its shutdown need. */
interface Parts {
  readonly agents: readonly AgentDefinition[];
  readonly grpcPorts: ReadonlyMap<string, number>;
  readonly keeping: TaskKeeping;
  readonly ledger: Ledger;
  readonly outbound: Outbound;
  readonly site: Site;
}

/** The open ports: the agents' port first, then dedicated ones; operators may have their own. */
interface Ports {
  readonly home: WireServer;
  readonly all: readonly WireServer[];
  readonly office: WireServer | undefined;
}

/** Starts every agent of the test bed on one port. */
export async function startTestbed(options: TestbedOptions): Promise<Testbed> {
  let home: WireServer | undefined;
  const parts = await partsOf(options, () => home?.connections ?? 0);
  try {
    await parts.keeping.begin();
    const ports = await openPorts(options, parts, (opened) => {
      home = opened;
    });
    return running(parts, ports);
  } catch (error) {
    await parts.keeping.close();
    throw error;
  }
}

/** Creates the parts. They call each other only once the test bed is in use, when all of them exist. */
async function partsOf(options: TestbedOptions, connections: () => number): Promise<Parts> {
  const { version, grpcPort, quotas = {}, seed = 1, tracing } = options;
  const clock = systemClock(options.timeScale);
  const outage = new StoreOutage(options, clock.now);
  const report = (error: unknown): void => {
    if (!outage.saw(error)) options.onError?.(error);
  };
  const ledger = new Ledger(options.budgets);
  const outbound = outboundOf(options);
  const agents = await agentsOf(options);
  const ownHomes = homesWith(options.root, agents);
  const grpcPorts = new Map(grpcPort === undefined ? [] : agents.map(({ path }, index) => [path, grpcPort + index]));
  const metrics: Metrics = new Metrics({
    ...processGauges(version),
    assay_tasks: async () => sum((await keeping.tasksByState()).values()),
    assay_tasks_by_state: async () =>
      [...(await keeping.tasksByState())].map(([state, value]) => ({ labels: { state }, value })),
    assay_connections: connections,
    assay_streams: () => metrics.level("assay_streams_by_agent"),
    assay_held_bytes: () => ledger.total,
    assay_agents: () => directory.size,
  });
  const kept = keepingOptions(options, () => directory, { clock, ledger, report, onWritten: () => outage.worked() });
  const keeping = options.store
    ? timed(await (await import("./database-keeping.ts")).inDatabase(options.store, kept), metrics, tracing)
    : inMemory(kept);
  const signer = new CardSigner(keeping.signingKey);
  const tokenKeys = new TokenKeys(keeping.tokenKey);
  const place = placeOf(options);
  const services: TestbedServices = {
    version,
    keeping,
    ledger,
    clock,
    turns: new EventTurns(),
    metrics,
    outbound,
    signer,
    identity: { tokens: new JwtVerifier(tokenKeys, place.isOwn) },
    cards: new CardCache(),
    report,
    quotas,
    callers: callerQuotas(quotas, clock.now),
    retries: options.retries,
    onUndelivered: options.onUndelivered,
    tracing,
    startedAt: clock.now(),
    addressOf: (agent, baseUrl) =>
      addressOf(agent, baseUrl, grpcPorts.get(agent.path), agent.path === ownHomes.grpc[nativeVersion(agent)], options),
  };
  const build = (definition: AgentDefinition) => buildAgent(definition, services);
  const directory: AgentDirectory = new AgentDirectory(agents, ownHomes, loadFamilies, build, seed);
  const site: Site = {
    directory,
    jwks: () => signer.jwks(),
    oidc: mountOidc({ keys: tokenKeys, logins: keeping.logins, cookieKey: keeping.cookieKey, report }),
    metrics,
    requests: new RequestMeter(metrics),
    deadLetters: keeping.deadLetters,
    origins: options.origins ?? [],
    publicUrl: place.publicUrl,
    hostAllowed: place.hostAllowed,
    readiness: new Readiness(() => keeping.answers()),
    hasOperationsPort: options.operations !== undefined,
    report,
  };
  return { agents, grpcPorts, keeping, ledger, outbound, site };
}

/**
 * Restricts the outgoing calls of the test bed. Bound to loopback, it serves this machine, and its webhooks
 * are on this machine too.
 */
function outboundOf({ host, version, allowedHosts = [], allowPrivate, timeScale, tracing }: TestbedOptions): Outbound {
  const guard = createEgressGuard({
    allowLoopback: isLoopback(host) || allowPrivate === true,
    allowPrivate: allowPrivate === true,
    allowHosts: allowedHosts,
    pinMs,
  });
  const outbound = createOutbound(guard, version, timeScale);
  return tracing ? outboundWithSpans(outbound, tracing) : outbound;
}

function keepingOptions(
  { waitMs = hourMs, maxTasks, quotas, deadLetters }: TestbedOptions,
  directory: () => AgentDirectory,
  shared: Pick<KeepingOptions, "clock" | "ledger" | "report" | "onWritten">,
): KeepingOptions {
  return {
    ...shared,
    waitMs,
    maxTasks,
    openTasks: quotas?.openTasks,
    letterRoom: deadLetters === undefined ? undefined : letterRoomFor(deadLetters),
    async engineOf(scope) {
      const path = pathIn(scope);
      if (directory().awaits(path)) await directory().families();
      return (directory().get(path) ?? directory().root).engine;
    },
    onForget: (scope, id) => directory().get(pathIn(scope))?.push.forget(scope, id),
  };
}

/** Returns the addresses at which the test bed may be reached. */
function placeOf({ host, publicUrl, allowedHosts = [] }: TestbedOptions) {
  const ownUrl = publicUrl?.replace(/\/+$/, "");
  const hostAllowed = createHostCheck({
    boundHost: host,
    allowed: allowedHosts,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  const isOwn = (baseUrl: string): boolean =>
    ownUrl === undefined ? hostAllowed(new URL(baseUrl).host) : baseUrl === ownUrl;
  return { publicUrl: ownUrl, hostAllowed, isOwn };
}

/** Returns the address of an agent for a client that reached the test bed at this URL. */
function addressOf(
  { habits }: AgentDefinition,
  baseUrl: string,
  ownPort: number | undefined,
  isHome: boolean,
  { tls }: TestbedOptions,
): Address {
  const { hostname, port, protocol } = new URL(baseUrl);
  const place = `${hostname}:${ownPort ?? (port || (protocol === "https:" ? "443" : "80"))}`;
  // Without a scheme a client could not tell that a port other than 443 uses TLS (AMB-25).
  const hasScheme = habits?.grpcScheme || (protocol === "https:" && !place.endsWith(":443"));
  return {
    baseUrl,
    oauth: isOidcInstalled(),
    certificates: tls?.requestCert === true,
    grpc: { target: hasScheme ? `${protocol}//${place}` : place, byTenant: ownPort === undefined && !isHome },
  };
}

/** Opens all ports, or none. */
async function openPorts(
  options: TestbedOptions,
  { grpcPorts, ledger, site }: Parts,
  onHome: (home: WireServer) => void,
): Promise<Ports> {
  const { onServed, before, beforeGrpc, tracing, operations, allowedHosts = [] } = options;
  const route = routeSite(site);
  const serve: Handler = before
    ? (request, reply) => (before(request, reply) ? undefined : route(request, reply))
    : route;
  const watchers = { onServed, tracing };
  const common = {
    host: options.host,
    handler: watched(serve, watchers),
    onInternalError: site.report,
    ledger,
    ...(options.tls ? { tls: options.tls } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.recorder ? { recorder: options.recorder } : {}),
    ...(options.answersTogether === undefined ? {} : { answersTogether: options.answersTogether }),
  };
  /** `path` is that of the agent with this dedicated port; the shared port has none. */
  const open = (port: number, path?: string): Promise<WireServer> => {
    const routed = overGrpc(({ routeGrpc }) =>
      routeGrpc(site, path === undefined ? undefined : site.directory.get(path)!),
    );
    const grpc: GrpcHandler = beforeGrpc ? async (call) => (beforeGrpc(call) ? undefined : routed(call)) : routed;
    return listen({ ...common, port, grpc: watchedGrpc(grpc, watchers) });
  };
  const home = await open(options.port);
  onHome(home);
  const others = [...grpcPorts].map(
    ([path, port]) =>
      () =>
        open(port, path),
  );
  if (operations) {
    const hostAllowed = createHostCheck({ boundHost: operations.host, allowed: allowedHosts });
    const handler = routeOperations(site, hostAllowed);
    others.push(() => listen({ ...operations, handler, onInternalError: site.report }));
  }
  const more = await allOrNone([home], others);
  const office = operations && more.pop();
  return { home, all: [home, ...more], office };
}

/** Returns the test bed with its open ports. */
function running({ agents, keeping, outbound, site }: Parts, { home, all, office }: Ports): Testbed {
  const { directory, readiness, metrics } = site;
  return {
    url: home.url,
    port: home.port,
    operationsUrl: office?.url,
    agents,
    families: () => directory.families(),
    cardOf: (path) => directory.get(path)?.card(site.publicUrl ?? home.url),
    async perform(path, operation, request, { caller: name, tenant = "" } = {}) {
      const agent = directory.get(path);
      if (!agent) throw unknownAgent(path);
      const caller = name === undefined ? undefined : { name };
      const { answer } = await agent.perform(operation, request, {
        scope: scopeOf(agent.definition, tenant, caller),
        tenant,
        caller,
        account: "test bed",
        extensions: [],
        authorization: undefined,
        baseUrl: home.url,
        client: new AbortController(),
      });
      // An operation that does not stream returns its own kind of answer.
      return answer as AnswerOf<typeof operation>;
    },
    retire() {
      readiness.leave();
      for (const each of all) each.retire();
    },
    async close(graceMs) {
      readiness.leave();
      keeping.expiry?.close();
      const worked = Promise.all([...directory].map(({ engine }) => engine.close(graceMs))).then((ended) =>
        // Followers of an ended task get its last event before their streams end.
        graceMs || ended.some((tasks) => tasks > 0)
          ? untilTold(() => metrics.level("assay_streams_by_agent"))
          : undefined,
      );
      await Promise.all(all.map((each) => each.close(graceMs, worked)));
      await Promise.all([...directory].map(({ push }) => push.close()));
      await outbound.close();
      await keeping.close();
      // It reports until the end why the server is not ready.
      await office?.close(graceMs);
    },
  };
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

/** Measures the database. In-memory storage is not worth the clock calls. */
function timed(keeping: TaskKeeping, metrics: Metrics, tracing: Tracing | undefined): TaskKeeping {
  const store = aroundStore(keeping.store, async (operation, work) => {
    const began = performance.now();
    try {
      return await (tracing ? traced(tracing, `store ${operation}`, "client", work) : work());
    } finally {
      metrics.measure("assay_store_duration_seconds", { operation }, (performance.now() - began) / 1_000);
    }
  });
  return { ...keeping, store };
}

/** Waits for streams of ended tasks, which end by themselves. Streams of other tasks do not. */
async function untilTold(openStreams: () => number): Promise<void> {
  for (let waited = 0; openStreams() > 0 && waited < tellMs; waited += 10) await wait(10);
}

/** Returns the agent path at the start of a scope. */
const pathIn = (scope: string): string => scope.split("\n", 1)[0]!;

/** Puts this agent at the root, where it is also the gRPC default of its version. */
function homesWith(root: string | undefined, agents: readonly AgentDefinition[]): HomeAgents {
  if (root === undefined) return homes;
  const agent = agents.find(({ path }) => path === root);
  if (!agent) throw unknownAgent(root);
  return { root, grpc: { ...homes.grpc, [nativeVersion(agent)]: root } };
}

/** Opens further ports; if one fails, all are closed. */
async function allOrNone(open: readonly WireServer[], others: (() => Promise<WireServer>)[]): Promise<WireServer[]> {
  const more: WireServer[] = [];
  try {
    for (const other of others) more.push(await other());
    return more;
  } catch (error) {
    await Promise.all([...open, ...more].map((each) => each.close(0)));
    throw error;
  }
}

/** Applies the options to the agents: the relay limit, a suite profile, a mutant. */
async function agentsOf({ agents = allAgents, relayLinks, profile, mutant, seed = 1 }: TestbedOptions) {
  const served = withRelay(agents, relayLinks);
  const tuned = profile ? served.map((agent) => inProfile(agent, profile)) : served;
  return mutant === undefined ? tuned : withMutant(tuned, mutant, seed);
}

/** Sets the relay limit of the agents. */
function withRelay(agents: readonly AgentDefinition[], links: number | undefined): readonly AgentDefinition[] {
  if (links === undefined) return agents;
  const relay = relayWith(links);
  const exchanged = (skills: readonly Skill[]): Skill[] => skills.map((each) => (each.id === relay.id ? relay : each));
  return agents.map((agent) => ({
    ...agent,
    skills: exchanged(agent.skills),
    ...(agent.unlisted && { unlisted: exchanged(agent.unlisted) }),
  }));
}

/** Loads gRPC and its protobuf code with the first call. */
function overGrpc(make: (grpc: typeof import("../server/grpc.ts")) => GrpcHandler): GrpcHandler {
  let handler: GrpcHandler | undefined;
  const load = async (): Promise<GrpcHandler> => {
    await loadOlder();
    handler ??= make(await import("../server/grpc.ts"));
    return handler;
  };
  return (call) => (handler ? handler(call) : load().then((loaded) => loaded(call)));
}

/** Loaded on first use, so that a test bed without mutants starts sooner. */
export async function loadFamilies(): Promise<Families> {
  const [{ mutants }, { variants }] = await Promise.all([
    import("../mutants/index.ts"),
    import("../variants/index.ts"),
    // They may use any version.
    loadOlder(),
  ]);
  return { mutants, variants };
}

/** Puts a mutant in the place of its base agent. */
async function withMutant(
  agents: readonly AgentDefinition[],
  id: string,
  seed: number,
): Promise<readonly AgentDefinition[]> {
  const { mutants } = await loadFamilies();
  const [name, other] = id.split("@");
  const found = mutants.find((candidate) => candidate.id === name);
  const place = other ?? found?.base;
  if (!found || !agents.some(({ path }) => path === place)) throw unknownMutant(id);
  return agents.map((agent) => (agent.path === place ? diverged(agent, found, agent.path, seed) : agent));
}

const unknownMutant = (id: string): UsageError =>
  new UsageError(`Unknown mutant ${JSON.stringify(id)}`, "GET /mutants on a running test bed lists all mutants.");

const unknownAgent = (path: string): UsageError =>
  new UsageError(`Unknown agent ${JSON.stringify(path)}`, "--root takes the path of an agent, such as spec03.");
