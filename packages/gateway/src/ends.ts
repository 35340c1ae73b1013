import { startTestbed, type Testbed } from "@assay/agents";
import {
  awakeStopwatch,
  createPeerClients,
  type Exchange,
  type HeaderPairs,
  type HttpClientOptions,
  type PeerClients,
  Recording,
  type RequestSpec,
  sleepAwake,
} from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { signedTestCard } from "./test-card.ts";
import type { GatewayCall } from "./verdict.ts";

/** Answers a request in place of the agent. If it fails, the connection is closed. */
export type Script = (request: WireRequest, reply: WireReply) => void | Promise<void>;

/** Options of a stream through the gateway. */
export interface StreamWatch {
  /** called with each event as it arrives */
  onEvent?(): void;
  /** disconnects the client */
  readonly leave?: AbortSignal;
}

export interface EndsOptions {
  /** the agent's address at the gateway */
  readonly through: string;
  /** where our own agent listens for the gateway */
  readonly upstream: { readonly host: string; readonly port: number };
  /** the version of Assay */
  readonly version: string;
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
  /** sent with every request of the client */
  readonly headers?: HeaderPairs;
  /** names under which the gateway knows our agent, besides its address */
  readonly allowHosts?: readonly string[];
  readonly signal: AbortSignal;
  /** called with each finished exchange of either end */
  onExchange?(exchange: Exchange, end: "client" | "agent"): void;
}

/** Time for the agent's end of an exchange to finish after the client's. */
const settleMs = 3_000;
/** Longer than the silence of any tested stream, so the client never cuts one itself. */
const idleMs = 150_000;

/**
 * The client and the agent on both sides of a gateway. The client sends one request at a time. So a request that
 * reaches the agent meanwhile belongs to it, unless it is a late copy of an earlier one.
 */
export class Ends {
  readonly through: string;
  readonly #headers: HeaderPairs;
  readonly #clients: PeerClients;
  readonly #bed: Testbed;
  readonly #seen: { readonly begun: string; exchange?: Exchange }[] = [];
  readonly #signal: AbortSignal;
  readonly #upstream: EndsOptions["upstream"];
  /** ids in earlier requests */
  readonly #past = new Set<string>();
  /** scripts that still run */
  readonly #played = new Set<Promise<unknown>>();
  #script: { readonly plays: Script; readonly asked: RequestSpec } | undefined;
  #testCard: Promise<string> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  static async open(options: EndsOptions): Promise<Ends> {
    const { through, upstream, version, connection } = options;
    const numbers = new Recording({ keep: false });
    const issueId = (): string => numbers.issueId();
    const sent = new Recording({ keep: false, issueId });
    const served = new Recording({ keep: false, issueId });
    sent.onExchange((exchange) => options.onExchange?.(exchange, "client"));
    served.onExchange((exchange) => options.onExchange?.(exchange, "agent"));
    const recorder = new ServedRecorder(served);
    let ends: Ends | undefined;
    const bed = await startTestbed({
      ...upstream,
      version,
      root: "spec",
      publicUrl: through,
      // The gateway may pass on its own name, or the name under which it knows the agent.
      allowedHosts: [new URL(through).hostname, ...(options.allowHosts ?? [])],
      recorder,
      // More than any test sends: a rejection is always the gateway's.
      limits: { bodyBytes: 64 * 1024 * 1024 },
      before: (request, reply) => ends?.answer(request, reply) ?? false,
    });
    const clients = createPeerClients({ ...connection, recording: sent });
    ends = new Ends(options, bed, clients);
    recorder.onBegun(({ id }) => ends.#seen.push({ begun: id }));
    served.onExchange((exchange) => {
      const place = ends.#seen.find(({ begun }) => begun === exchange.id);
      if (place) place.exchange = exchange;
    });
    return ends;
  }

  private constructor({ through, headers = [], signal, upstream }: EndsOptions, bed: Testbed, clients: PeerClients) {
    this.through = through.replace(/\/+$/, "");
    this.#headers = headers;
    this.#signal = signal;
    this.#upstream = upstream;
    this.#bed = bed;
    this.#clients = clients;
  }

  /** The address that the gateway has to lead to. */
  get upstreamUrl(): string {
    return `http://${this.#upstream.host}:${this.#bed.port}`;
  }

  /** Returns the card for the tests of cards, with its signature. */
  testCard(): Promise<string> {
    this.#testCard ??= this.#bed.cardOf("spec")!.then(signedTestCard);
    return this.#testCard;
  }

  /** Sends a request through the gateway and returns it as both ends saw it. A script replaces the agent. */
  send(spec: RequestSpec, script?: Script): Promise<GatewayCall> {
    return this.#during(spec, script, () => this.#clients.http.request(this.#shown(spec), this.#signal));
  }

  /** Opens a stream through the gateway, and returns it when it is over. */
  stream(spec: RequestSpec, script: Script, watch?: StreamWatch): Promise<GatewayCall> {
    return this.#during(spec, script, () => this.#follow(spec, watch));
  }

  /** Opens several streams at the same time. */
  streams(specs: readonly RequestSpec[], script: Script): Promise<Exchange[]> {
    return this.#inTurn(async () => {
      this.#script = { plays: script, asked: specs[0]! };
      const from = this.#seen.length;
      const clients = await Promise.all(specs.map((spec) => this.#follow(spec)));
      await this.#arrivedSince(from);
      for (const spec of specs) for (const id of idsIn(spec)) this.#past.add(id);
      return clients;
    });
  }

  /** Waits until `isDone`, or until the process was idle for `ms` milliseconds. Returns the last answer. */
  async waitFor(isDone: () => boolean, ms: number): Promise<boolean> {
    const elapsed = awakeStopwatch();
    while (!isDone() && elapsed() < ms) await sleepAwake(20, this.#signal);
    return isDone();
  }

  async close(): Promise<void> {
    await this.#clients.close();
    await this.#bed.close(0);
  }

  /** Lets the script answer, if there is one. */
  answer(request: WireRequest, reply: WireReply): boolean {
    const script = this.#script;
    // The agent itself answers health checks of the gateway.
    if (!script || !isLike({ method: request.method, url: request.path }, script.asked)) return false;
    // A gateway may leave in the middle of a request, and a script may notice it by an error.
    const played = (async () => script.plays(request, reply))()
      .catch(() => reply.raw.destroy())
      .finally(() => this.#played.delete(played));
    this.#played.add(played);
    return true;
  }

  /** Adds the headers of the caller, which replace those of a test with the same name. */
  #shown(spec: RequestSpec): RequestSpec {
    const given = new Set(this.#headers.map(([name]) => name.toLowerCase()));
    const own = (spec.headers ?? []).filter(([name]) => !given.has(name.toLowerCase()));
    // On a kept connection the client itself might send a request twice.
    return { ...spec, fresh: true, headers: [...this.#headers, ...own] };
  }

  async #follow(spec: RequestSpec, { onEvent, leave }: StreamWatch = {}): Promise<Exchange> {
    const signal = leave ? AbortSignal.any([this.#signal, leave]) : this.#signal;
    const stream = await this.#clients.http.stream({ ...this.#shown(spec), idleMs }, signal);
    for await (const _ of stream.events) onEvent?.();
    return stream.finished;
  }

  #during(spec: RequestSpec, script: Script | undefined, ask: () => Promise<Exchange>): Promise<GatewayCall> {
    return this.#inTurn(async () => {
      this.#script = script && { plays: script, asked: spec };
      const from = this.#seen.length;
      const client = await ask();
      const arrived = await this.#arrivedSince(from);
      const agent = arrived.filter((exchange) => this.#belongs(exchange, client));
      for (const id of idsIn(spec)) this.#past.add(id);
      return { client, agent };
    });
  }

  /** Excludes health checks of the gateway and late copies of earlier requests. */
  #belongs({ http: { request } }: Exchange, client: Exchange): boolean {
    return isLike(request, client.http.request) && !idsIn(request).some((id) => this.#past.has(id));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(() => {
      this.#signal.throwIfAborted();
      return work();
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Waits for exchanges that the agent has not finished yet: its end may notice a disconnect later. */
  async #arrivedSince(from: number): Promise<readonly Exchange[]> {
    await Promise.all(this.#played);
    await this.waitFor(() => this.#seen.slice(from).every(({ exchange }) => exchange), settleMs);
    this.#script = undefined;
    return this.#seen.slice(from).flatMap(({ exchange }) => exchange ?? []);
  }
}

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Returns the ids in the address and at the beginning of the body of a request. */
function idsIn({ url, body }: { readonly url: string; readonly body?: Uint8Array }): string[] {
  const text = body ? Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 4_096)).toString() : "";
  return `${url} ${text}`.match(uuids) ?? [];
}

/** A gateway may change the beginning of a path. */
const isLike = (request: Pick<RequestSpec, "method" | "url">, asked: Pick<RequestSpec, "method" | "url">): boolean =>
  request.method === asked.method && (request.method !== "GET" || lastSegment(request.url) === lastSegment(asked.url));

const lastSegment = (url: string): string | undefined =>
  url
    .replace(/[?#].*$/, "")
    .split("/")
    .at(-1);
