import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentDefinition } from "@assay/agents/making";
import { type Binding, bindings, isObject, type JsonObject, parseJson } from "@assay/protocol";
import {
  type AgentOffer,
  situations as allSituations,
  ClientReporting,
  type ClientRequest,
  callsOf,
  createRequestReader,
  defaultRuleSet,
  offerOf,
  type RequestReader,
  type SentNotification,
  type Situation,
  type SpokenInterface,
  selectClientRules,
} from "@assay/suite";
import type { CommandOutcome, ConformanceResult, RunEvent } from "@assay/suite/report";
import { createMasker, type Exchange, isGrpcCall, Recording } from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { adviceOn } from "./advice.ts";
import { environmentOf } from "./environment.ts";
import { ClientJudging, plainest } from "./judging.ts";
import type { ClientEnvironment, ClientTestOptions } from "./options.ts";
import { declines, inOrder, type Performed } from "./perform.ts";
import { ClientRunEvents } from "./run-events.ts";
import type { Arranged, NotificationWitness, Stage } from "./stage.ts";
import { stages } from "./stages/index.ts";
import { oddities } from "./strays.ts";

/** Options for serving situations. The rest are the options of a client test. */
export interface ServeSituationsOptions
  extends Pick<
    ClientTestOptions,
    "run" | "version" | "only" | "skip" | "ruleSet" | "strict" | "baseline" | "bindings"
  > {
  readonly host?: string;
  readonly port?: number;
  /** name of the client in the report */
  readonly name?: string;
  readonly onEvent?: (event: RunEvent) => void;
  /** called when a request is complete, with the rules that it breaks */
  readonly onRequest?: (seen: SeenRequest) => void;
}

/** A request of a client with its results. */
export interface SeenRequest {
  readonly situation: string;
  readonly request: ClientRequest;
  readonly results: readonly ConformanceResult[];
}

/** The result of a situation so far. */
export interface SituationVerdict {
  readonly situation: string;
  readonly requests: number;
  readonly notes: readonly string[];
  readonly results: readonly ConformanceResult[];
}

/** Serves every situation at once, each below its own path, for clients with their own test runner. */
export interface ServedSituations {
  readonly url: string;
  readonly port: number;
  readonly situations: readonly {
    readonly id: string;
    readonly action: string;
    readonly asks: string;
    readonly url: string;
  }[];
  /** Resets a situation and returns the variables for the client. From then on its requests are judged. */
  begin(id: string): Promise<ClientEnvironment>;
  /** Judges the requests since the situation began. `outcome` is the result that the client itself reports. */
  verdict(id: string, outcome?: Partial<Pick<CommandOutcome, "exit" | "output" | "errors">>): SituationVerdict;
  /** Ends the run: judges the remaining requests and emits events for them. */
  finish(): void;
  close(): Promise<void>;
}

/** One situation that is being served. */
interface Scene {
  readonly situation: Situation;
  readonly offer: AgentOffer;
  readonly read: RequestReader;
  arranged: Arranged;
  exchanges: Exchange[];
  notifications: SentNotification[];
}

/** Serves every situation of 1.0. A client chooses one by its path. */
export async function serveSituations(options: ServeSituationsOptions): Promise<ServedSituations> {
  const served = new SituationServer(options);
  await served.open();
  const { url, port, situations } = served;
  return {
    ...{ url, port, situations },
    begin: (id) => served.begin(id),
    verdict: (id, outcome) => served.verdict(id, outcome),
    finish: () => served.finish(),
    close: () => served.close(),
  };
}

class SituationServer implements ServedSituations {
  readonly #options: ServeSituationsOptions;
  readonly #events: ClientRunEvents;
  readonly #judging: ClientJudging;
  readonly #scenes = new Map<string, Scene>();
  readonly #first: SpokenInterface;
  readonly #others: ReadonlyMap<string, string>;
  #bed: Testbed | undefined;

  constructor(options: ServeSituationsOptions) {
    this.#options = options;
    this.#first = { dialect: "1.0", binding: options.bindings?.[0] ?? "JSONRPC" };
    const { name = "any client" } = options;
    this.#others = situationByPath(this.#first);
    this.#events = new ClientRunEvents({ command: [name] }, (event) => options.onEvent?.(event));
    const report = this.#reportTo((event) => this.#events.emit(event));
    this.#judging = new ClientJudging(report, new Set(selectClientRules(options, options.ruleSet)));
  }

  #reportTo(emit: (event: RunEvent) => void): ClientReporting {
    const { strict = false, baseline = [], ruleSet = defaultRuleSet } = this.#options;
    return new ClientReporting({ masker: createMasker([]), strict, baseline, ruleSet }, emit);
  }

  async open(): Promise<void> {
    const { host = "127.0.0.1", port = 0, version, bindings: offered = bindings } = this.#options;
    this.#events.started(this.#options);
    const recording = new Recording({ keep: false });
    const bed = await startTestbed({
      host,
      port,
      version,
      timeScale: 0.1,
      agents: agentsFor(chosen, this.#first, offered, (id) => (sent) => this.#scenes.get(id)?.notifications.push(sent)),
      root: plainest.id,
      recorder: new ServedRecorder(recording),
      before: (request, reply) => servePages(request, reply, this),
    });
    this.#bed = bed;
    for (const situation of chosen) {
      const card = await bed.cardOf(situation.id)!;
      const offer = offerOf(card, `${bed.url}/${situation.id}/.well-known/agent-card.json`);
      const read = await createRequestReader(offer);
      this.#scenes.set(situation.id, { situation, offer, read, arranged: {}, exchanges: [], notifications: [] });
    }
    recording.onExchange((exchange) => this.#take(exchange));
  }

  get #open(): Testbed {
    // `open` sets it before the first call.
    return this.#bed!;
  }

  get url(): string {
    return this.#open.url;
  }

  get port(): number {
    return this.#open.port;
  }

  get situations(): ServedSituations["situations"] {
    return chosen.map(({ id, action, asks }) => ({ id, action, asks, url: `${this.url}/${id}` }));
  }

  async begin(id: string): Promise<ClientEnvironment> {
    const scene = this.#sceneOf(id);
    scene.arranged = (await stageOf(id).arrange?.(this.#open, id)) ?? {};
    scene.exchanges = [];
    scene.notifications = [];
    return environmentOf(scene.situation, { url: `${this.url}/${id}`, arranged: scene.arranged });
  }

  verdict(id: string, outcome?: Partial<CommandOutcome>): SituationVerdict {
    const performed = this.#performedIn(this.#sceneOf(id), outcome);
    this.#judging.take(performed);
    const { requests } = performed;
    const results = this.#resultsOf(performed);
    const notes = [
      ...oddities(requests, []),
      ...adviceOn({ ...performed, prints: this.#judging.prints(performed.offered) }),
    ];
    return { situation: id, requests: requests.length, notes, results };
  }

  finish(): void {
    for (const scene of this.#scenes.values()) if (scene.exchanges.length) this.#judging.take(this.#performedIn(scene));
    this.#judging.conclude({ isInterrupted: false });
    this.#events.finished("done");
  }

  close(): Promise<void> {
    return this.#open.close(0);
  }

  #take(exchange: Exchange): void {
    const scene = sceneAt(exchange, this.#scenes, this.#others);
    if (!scene) return;
    const { situation } = scene;
    const request = scene.read(exchange);
    this.#events.exchange(exchange, request, situation.id);
    scene.exchanges.push(exchange);
    const isAbout = ({ evidence }: ConformanceResult): boolean => evidence.includes(exchange.id);
    const results = this.#resultsOf(this.#performedIn(scene)).filter(isAbout);
    this.#options.onRequest?.({ situation: situation.id, request, results });
  }

  #performedIn(scene: Scene, outcome?: Partial<CommandOutcome>): Performed {
    const requests = inOrder(scene.exchanges).map(scene.read);
    const [call] = callsOf(requests);
    return {
      situation: scene.situation,
      offered: { ...this.#first, ...(call && { binding: call.on.binding }) },
      agent: scene.offer,
      told: new Set(scene.arranged.told),
      requests,
      notifications: scene.notifications,
      distrusted: 0,
      runs: outcome ? [runOf(outcome)] : [],
      ended: outcome?.exit === declines ? "declined" : "done",
    };
  }

  /** Returns the results of one situation, independent of earlier results. */
  #resultsOf(performed: Performed): readonly ConformanceResult[] {
    const results = new Map<string, ConformanceResult>();
    const report = this.#reportTo((event) => {
      if (event.event === "check-finished")
        results.set(`${event.result.test} ${event.result.interface?.binding}`, event.result);
    });
    this.#judging.judge(performed, report);
    return [...results.values()];
  }

  #sceneOf(id: string): Scene {
    const scene = this.#scenes.get(id);
    if (!scene) throw new RangeError(`Unknown situation ${JSON.stringify(id)}`);
    return scene;
  }
}

const stageOf = (id: string): Stage => stages[id as keyof typeof stages];

/** Situations that can share one address without TLS. */
const chosen = (allSituations as readonly Situation[]).filter(({ id, dialects, faulty, draft, profiled }) => {
  const { untrusted, twoAddresses } = stageOf(id);
  const isOnRequest = faulty || draft || profiled;
  return (dialects?.includes("1.0") ?? true) && !untrusted && twoAddresses !== "needed" && !isOnRequest;
});

/** Returns the agents of all situations, each at the path of its id, over every offered binding. */
function agentsFor(
  chosen: readonly Situation[],
  first: SpokenInterface,
  offered: readonly Binding[],
  witnessOf: (situation: string) => NotificationWitness,
): AgentDefinition[] {
  return chosen.flatMap(({ id }) => {
    const { agent, others } = stageOf(id);
    return [{ ...agent(first, witnessOf(id), ""), path: id, bindings: offered }, ...(others?.(first) ?? [])];
  });
}

/** The situations with further agents, by the path of each of these. */
const situationByPath = (first: SpokenInterface): ReadonlyMap<string, string> =>
  new Map(chosen.flatMap(({ id }) => (stageOf(id).others?.(first) ?? []).map(({ path }) => [path, id] as const)));

/** Finds the situation of a request by its path; over gRPC by the tenant in the card. */
function sceneAt(
  exchange: Exchange,
  scenes: ReadonlyMap<string, Scene>,
  others: ReadonlyMap<string, string>,
): Scene | undefined {
  const [, path = ""] = new URL(exchange.http.request.url).pathname.split("/");
  const id = others.get(path) ?? path;
  if (!isGrpcCall(exchange))
    return scenes.get(id) ?? (id.startsWith(".") || id === "" ? scenes.get(plainest.id) : undefined);
  return [...scenes.values()].find(({ read, situation }) => {
    const request = read(exchange);
    return request.is === "call" && request.on.tenant === situation.id;
  });
}

const runOf = ({ exit = 0, output = "", errors = "" }: Partial<CommandOutcome>): Performed["runs"][number] => ({
  ended: "exit",
  exit,
  output,
  errors,
  dropped: 0,
  duration_ms: 0,
  leftBehind: false,
});

/** GET /situations, GET /situations/<id>, POST /situations/<id>/verdict. */
function servePages(request: WireRequest, reply: WireReply, served: ServedSituations): boolean {
  const [, root, id = "", last = ""] = request.path.split("/");
  if (root !== "situations") return false;
  const send = (status: number, json: unknown): void =>
    reply.send(
      status,
      { "Content-Type": "application/json", "Cache-Control": "no-store" },
      JSON.stringify(json, null, 2),
    );
  const known = served.situations.find((each) => each.id === id);
  if (id === "" && request.method === "GET") send(200, served.situations);
  else if (!known)
    send(404, { error: `Unknown situation ${JSON.stringify(id)}. GET /situations lists all situations.` });
  else if (last === "" && request.method === "GET")
    void served.begin(id).then(
      (environment) => send(200, { ...known, environment }),
      (error: Error) => send(500, { error: error.message }),
    );
  else if (last === "verdict" && request.method === "POST")
    void request.body().then(
      (body) => send(200, served.verdict(id, outcomeIn(body))),
      (error: Error) => send(400, { error: error.message }),
    );
  else send(405, { error: "Method not allowed. Use GET /situations/<id> or POST /situations/<id>/verdict." });
  return true;
}

/**
 * Reads the client's own report: `{"exit": 0, "output": "…", "errors": "…"}`. Returns undefined for an empty or invalid
 * body.
 */
function outcomeIn(body: Buffer): Partial<CommandOutcome> | undefined {
  if (!body.length) return undefined;
  let json: unknown;
  try {
    json = parseJson(body.toString("utf8"));
  } catch {
    return undefined;
  }
  if (!isObject(json)) return undefined;
  const { exit, output, errors } = json as JsonObject;
  return {
    ...(typeof exit === "number" && { exit }),
    ...(typeof output === "string" && { output }),
    ...(typeof errors === "string" && { errors }),
  };
}
