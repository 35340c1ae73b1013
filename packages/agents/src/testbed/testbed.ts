import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "@assay/protocol/assay-error";
import { type AnswerOf, isLoopback, type JsonObject, type RequestOf, type UnaryOperation } from "@assay/protocol/core";
import {
  type Budgets,
  createEgressGuard,
  createHostCheck,
  type GrpcHandler,
  type Handler,
  Ledger,
  listen,
  type ServedRecorder,
  type ServerLimits,
  type TlsOptions,
  type WireReply,
  type WireRequest,
  type WireServer,
} from "@assay/wire/server";
import { agents as allAgents, type HomeAgents, homes } from "../agents/index.ts";
import { CardCache } from "../card/card-endpoint.ts";
import { CardSigner } from "../card/card-signer.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import type { Skill } from "../definition/skill.ts";
import { systemClock } from "../engine/clock.ts";
import { EventTurns } from "../engine/event-turns.ts";
import { isOidcInstalled } from "../identity/oidc/library.ts";
import { mountOidc } from "../identity/oidc/mount.ts";
import { TokenKeys } from "../identity/token-keys.ts";
import { JwtVerifier } from "../identity/token-verifier.ts";
import { Metrics } from "../operating/metrics.ts";
import { processGauges } from "../operating/process-gauges.ts";
import { Readiness } from "../operating/readiness.ts";
import { type LoggedRequest, watched, watchedGrpc } from "../operating/request-log.ts";
import { RequestMeter } from "../operating/request-meter.ts";
import { type OutageNotice, StoreOutage } from "../operating/store-outage.ts";
import { aroundStore } from "../operating/timed-store.ts";
import { outboundWithSpans } from "../operating/traced-parts.ts";
import { type Tracing, traced } from "../operating/tracing.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { type DeadLetter, letterRoomFor } from "../push/dead-letter.ts";
import type { RetryPolicy } from "../push/retries.ts";
import { loadOlder, nativeVersion } from "../server/dialects.ts";
import { callerQuotas, type Quotas } from "../server/quotas.ts";
import { routeOperations, routeSite, type Site } from "../server/router.ts";
import { relayWith } from "../skills/relay.ts";
import { AgentDirectory, diverged, type Families } from "./agent-directory.ts";
import type { StoreSettings } from "./database-keeping.ts";
import { inProfile, type ProfileOptions } from "./profiles.ts";
import { inMemory, type KeepingOptions, type TaskKeeping } from "./task-keeping.ts";

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
  readonly tls?: TlsOptions;
  readonly limits?: Partial<ServerLimits>;
  readonly maxTasks?: number;
  /** keeps tasks in a database; in memory unless given */
  readonly store?: StoreSettings;
  /** bytes that are held for clients: for all together, and for one of them */
  readonly budgets?: Partial<Budgets>;
  /** how long a task may stay open without anything happening to it; an hour unless given */
  readonly waitMs?: number;
  /** what one caller may have besides memory; as much as it likes unless given */
  readonly quotas?: Quotas;
  /** how often, and for how long, a notification is tried */
  readonly retries?: RetryPolicy;
  /** how many notifications that could not be delivered are kept for one caller */
  readonly deadLetters?: number;
  /** is told of every notification that could not be delivered, and of which agent it is */
  readonly onUndelivered?: (agent: string, letter: DeadLetter) => void;
  /** a place for operators: /health, /ready and /metrics, which then is not on the port of the agents */
  readonly operations?: { readonly host: string; readonly port: number };
  /** gives every agent a gRPC port of its own: this one, and those that follow it */
  readonly grpcPort?: number;
  /** how often in a row relays may pass something on; four times unless given */
  readonly relayLinks?: number;
  /** tunes `/spec`, and for the TCK also `/spec03`, `/minimal` and `/strict`, to what a suite expects */
  readonly profile?: ProfileOptions;
  /** puts this mutant in the place of its base, or, with `@` and its path, of another agent */
  readonly mutant?: string;
  /** serves these in the place of the agents of the test bed */
  readonly agents?: readonly AgentDefinition[];
  /** the agent that answers at the root of the site, and over gRPC without a tenant, by its path; `spec` unless given */
  readonly root?: string;
  /** what the agents that leave something to chance draw from: the same seed, the same moods; 1 unless given */
  readonly seed?: number;
  /** answers that are ready at the same time leave together; true unless given (benchmarks measure both) */
  readonly answersTogether?: boolean;
  readonly onError?: (error: unknown) => void;
  /** is told once when the store becomes unavailable, and once when it takes writes again; `onError` is told unless given */
  readonly onOutage?: (outage: OutageNotice) => void;
  /** answers what it takes for its own before any agent does; false for everything else */
  readonly before?: (request: WireRequest, reply: WireReply) => boolean;
  /** writes down what crosses the test bed */
  readonly recorder?: ServedRecorder;
  /** is told of every request when it is over */
  readonly onServed?: (request: LoggedRequest) => void;
  /** traces requests, skills, the store and calls to others; it is closed by what opened it */
  readonly tracing?: Tracing;
}

export interface Testbed {
  readonly url: string;
  readonly port: number;
  /** where operators look, if that is a place of its own */
  readonly operationsUrl: string | undefined;
  readonly agents: readonly AgentDefinition[];
  /** the agents that are wrong or odd on purpose */
  families(): Promise<Families>;
  /** the card of an agent, as it is served at the address of the test bed; undefined where there is no such agent */
  cardOf(path: string): Promise<JsonObject> | undefined;
  /** Carries out an operation as if a client had asked for it that is nobody in particular, or the one that is named. */
  perform<O extends UnaryOperation>(
    path: string,
    operation: O,
    request: RequestOf<O>,
    as?: { readonly caller?: string; readonly tenant?: string },
  ): Promise<AnswerOf<O>>;
  /** Says that it is not ready, and asks clients to go elsewhere; all that come are served. */
  retire(): void;
  /** Ends it: skills may come to their rest within `graceMs`, if it is given, and tasks that do not fail; answers are finished. */
  close(graceMs?: number): Promise<void>;
}

const hourMs = 3_600_000;
/** How long the last events of tasks may take to their followers; a database has to be asked for them. */
const tellMs = 300;

/** A name that a client has us call leads to the same addresses for so long: longer than a notification is tried. */
const pinMs = 600_000;

/** Starts every agent of the test bed on one port. */
export async function startTestbed(options: TestbedOptions): Promise<Testbed> {
  const { host, version, publicUrl, allowedHosts = [], grpcPort, seed = 1 } = options;
  const clock = systemClock(options.timeScale);
  const outage = new StoreOutage(options, clock.now);
  const report = (error: unknown): void => {
    if (!outage.saw(error)) options.onError?.(error);
  };
  const ledger = new Ledger(options.budgets);
  const { quotas = {} } = options;
  const keepingOptions: KeepingOptions = {
    clock,
    ledger,
    waitMs: options.waitMs ?? hourMs,
    maxTasks: options.maxTasks,
    openTasks: quotas.openTasks,
    letterRoom: options.deadLetters === undefined ? undefined : letterRoomFor(options.deadLetters),
    async engineOf(scope) {
      const path = pathIn(scope);
      if (directory.awaits(path)) await directory.families();
      return (directory.get(path) ?? directory.root).engine;
    },
    onForget: (scope, id) => directory.get(pathIn(scope))?.push.forget(scope, id),
    report,
    onWritten: () => outage.worked(),
  };
  // Bound to loopback, the test bed serves this machine, and its webhooks are on this machine too.
  const guard = createEgressGuard({
    allowLoopback: isLoopback(host) || options.allowPrivate === true,
    allowPrivate: options.allowPrivate === true,
    allowHosts: allowedHosts,
    pinMs,
  });
  const { tracing } = options;
  const plainOutbound = createOutbound(guard, version, options.timeScale);
  const outbound = tracing ? outboundWithSpans(plainOutbound, tracing) : plainOutbound;
  let server: WireServer | undefined;
  const metrics: Metrics = new Metrics({
    ...processGauges(version),
    assay_tasks: async () => sum((await keeping.tasksByState()).values()),
    assay_tasks_by_state: async () =>
      [...(await keeping.tasksByState())].map(([state, value]) => ({ labels: { state }, value })),
    assay_connections: () => server?.connections ?? 0,
    assay_streams: () => metrics.level("assay_streams_by_agent"),
    assay_held_bytes: () => ledger.total,
    assay_agents: () => directory.size,
  });
  const { profile } = options;
  const served = withRelay(options.agents ?? allAgents, options.relayLinks);
  const tuned = profile ? served.map((agent) => inProfile(agent, profile)) : served;
  const agents = options.mutant === undefined ? tuned : await withMutant(tuned, options.mutant, seed);
  const grpcPorts = new Map(grpcPort === undefined ? [] : agents.map(({ path }, index) => [path, grpcPort + index]));
  const ownHomes = homesWith(options.root, agents);
  const keeping = options.store
    ? timed(await (await import("./database-keeping.ts")).inDatabase(options.store, keepingOptions), metrics, tracing)
    : inMemory(keepingOptions);
  const readiness = new Readiness(() => keeping.answers());
  const signer = new CardSigner(keeping.signingKey);
  const tokenKeys = new TokenKeys(keeping.tokenKey);
  const ownUrl = publicUrl?.replace(/\/+$/, "");
  const hostAllowed = createHostCheck({
    boundHost: host,
    allowed: allowedHosts,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  const isOwn = (baseUrl: string): boolean =>
    ownUrl === undefined ? hostAllowed(new URL(baseUrl).host) : baseUrl === ownUrl;
  const directory: AgentDirectory = new AgentDirectory(agents, ownHomes, loadFamilies, {
    version,
    keeping,
    ledger,
    clock,
    turns: new EventTurns(),
    metrics,
    outbound,
    signer,
    identity: { tokens: new JwtVerifier(tokenKeys, isOwn) },
    cards: new CardCache(),
    report,
    quotas,
    callers: callerQuotas(quotas, clock.now),
    retries: options.retries,
    onUndelivered: options.onUndelivered,
    tracing,
    startedAt: clock.now(),
    seed,
    addressOf(agent, baseUrl) {
      const { hostname, port, protocol } = new URL(baseUrl);
      const ownPort = grpcPorts.get(agent.path);
      const place = `${hostname}:${ownPort ?? (port || (protocol === "https:" ? "443" : "80"))}`;
      // Without a scheme a client could not tell that another port than 443 takes TLS (AMB-25).
      const hasScheme = agent.habits?.grpcScheme || (protocol === "https:" && !place.endsWith(":443"));
      const target = hasScheme ? `${protocol}//${place}` : place;
      const isHome = agent.path === ownHomes.grpc[nativeVersion(agent)];
      return {
        baseUrl,
        oauth: isOidcInstalled(),
        certificates: options.tls?.requestCert === true,
        grpc: { target, byTenant: ownPort === undefined && !isHome },
      };
    },
  });
  const site: Site = {
    directory,
    jwks: () => signer.jwks(),
    oidc: mountOidc({ keys: tokenKeys, logins: keeping.logins, cookieKey: keeping.cookieKey, report }),
    metrics,
    requests: new RequestMeter(metrics),
    deadLetters: keeping.deadLetters,
    origins: options.origins ?? [],
    publicUrl: ownUrl,
    hostAllowed,
    readiness,
    hasOperationsPort: options.operations !== undefined,
    report,
  };
  const { onServed, before } = options;
  const route = routeSite(site);
  const serve: Handler = before
    ? (request, reply) => (before(request, reply) ? undefined : route(request, reply))
    : route;
  const watchers = { onServed, tracing };
  const common = {
    host,
    handler: watched(serve, watchers),
    onInternalError: report,
    ledger,
    ...(options.tls ? { tls: options.tls } : {}),
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.recorder ? { recorder: options.recorder } : {}),
    ...(options.answersTogether === undefined ? {} : { answersTogether: options.answersTogether }),
  };
  const openPorts = async () => {
    await keeping.begin();
    const home = await listen({
      ...common,
      port: options.port,
      grpc: watchedGrpc(
        overGrpc((grpc) => grpc.routeGrpc(site)),
        watchers,
      ),
    });
    server = home;
    const others = [...grpcPorts].map(
      ([path, port]) =>
        () =>
          listen({
            ...common,
            port,
            grpc: watchedGrpc(
              overGrpc((grpc) => grpc.routeGrpc(site, directory.get(path)!)),
              watchers,
            ),
          }),
    );
    const { operations } = options;
    if (operations) {
      const hostAllowed = createHostCheck({ boundHost: operations.host, allowed: allowedHosts });
      const handler = routeOperations(site, hostAllowed);
      others.push(() => listen({ ...operations, handler, onInternalError: report }));
    }
    const more = await allOrNone([home], others);
    return { home, more, office: operations && more.pop() };
  };
  const { home, more, office } = await openPorts().catch(async (error: unknown) => {
    await keeping.close();
    throw error;
  });
  return {
    url: home.url,
    port: home.port,
    operationsUrl: office?.url,
    agents,
    families: () => directory.families(),
    cardOf: (path) => directory.get(path)?.card(site.publicUrl ?? home.url),
    async perform(path, operation, request, { caller, tenant = "" } = {}) {
      const agent = directory.get(path);
      if (!agent) throw unknownAgent(path);
      const { answer } = await agent.perform(agent, operation, request, {
        tenant,
        caller: caller === undefined ? undefined : { name: caller },
        account: "test bed",
        extensions: [],
        authorization: undefined,
        baseUrl: home.url,
        clientIds: false,
        webhookBody: undefined,
        client: new AbortController(),
      });
      // An operation that is no stream gives an answer of its own kind.
      return answer as AnswerOf<typeof operation>;
    },
    retire() {
      readiness.leave();
      for (const each of [home, ...more]) each.retire();
    },
    async close(graceMs) {
      readiness.leave();
      keeping.expiry?.close();
      const worked = Promise.all([...directory].map(({ engine }) => engine.close(graceMs))).then((ended) =>
        // Those who follow a task that has ended are told so before their streams end.
        graceMs || ended.some((tasks) => tasks > 0)
          ? untilTold(() => metrics.level("assay_streams_by_agent"))
          : undefined,
      );
      await Promise.all([home, ...more].map((each) => each.close(graceMs, worked)));
      await Promise.all([...directory].map(({ push }) => push.close()));
      await outbound.close();
      await keeping.close();
      // To its end it tells why it is not ready.
      await office?.close(graceMs);
    },
  };
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, count) => all + count, 0);

/** The same keeping, whose database is timed. What is in memory is there at once, and not worth the clock. */
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

/** Streams of tasks that have ended end by themselves, those of others do not. */
async function untilTold(openStreams: () => number): Promise<void> {
  for (let waited = 0; openStreams() > 0 && waited < tellMs; waited += 10) await wait(10);
}

/** A scope begins with the path of its agent. */
const pathIn = (scope: string): string => scope.split("\n", 1)[0]!;

/** The homes, with this agent at the root: there it is also what gRPC reaches in its version without a tenant. */
function homesWith(root: string | undefined, agents: readonly AgentDefinition[]): HomeAgents {
  if (root === undefined) return homes;
  const agent = agents.find(({ path }) => path === root);
  if (!agent) throw unknownAgent(root);
  return { root, grpc: { ...homes.grpc, [nativeVersion(agent)]: root } };
}

/** Opens further ports; where one cannot be had, none stays open. */
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

/** gRPC brings protobuf along, and is loaded with the first call. */
/** Agents whose relay passes on so often. */
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

function overGrpc(make: (grpc: typeof import("../server/grpc.ts")) => GrpcHandler): GrpcHandler {
  let handler: GrpcHandler | undefined;
  const load = async (): Promise<GrpcHandler> => {
    await loadOlder();
    handler ??= make(await import("../server/grpc.ts"));
    return handler;
  };
  return (call) => (handler ? handler(call) : load().then((loaded) => loaded(call)));
}

/** Loaded when first asked for: a test bed that is only asked for good behaviour starts sooner. */
export async function loadFamilies(): Promise<Families> {
  const [{ mutants }, { variants }] = await Promise.all([
    import("../mutants/index.ts"),
    import("../variants/index.ts"),
    // They may speak whatever they like.
    loadOlder(),
  ]);
  return { mutants, variants };
}

/** The agents, with a mutant in the place of the one it is made from. */
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
  new UsageError(`There is no mutant ${JSON.stringify(id)}`, "GET /mutants of a running test bed lists them.");

const unknownAgent = (path: string): UsageError =>
  new UsageError(`There is no agent ${JSON.stringify(path)}`, "--root takes the path of an agent, such as spec03.");
