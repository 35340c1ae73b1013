import { constants } from "node:http2";
import { startTestbed, type Testbed } from "@assay/agents";
import { jsonObjectIn } from "@assay/protocol";
import { grpcMethodAt } from "@assay/protocol/grpc";
import {
  awakeStopwatch,
  createHttp2Client,
  createPeerClients,
  type Exchange,
  type HeaderPairs,
  type Http2Client,
  type HttpClientOptions,
  type PeerClients,
  Recording,
  type RequestSpec,
  sleepAwake,
} from "@assay/wire";
import { ServedRecorder } from "@assay/wire/served-recorder";
import type { GrpcCall, WireReply, WireRequest } from "@assay/wire/server";
import { signedTestCard } from "./test-card.ts";
import type { GatewayCall } from "./verdict.ts";

/** Answers a request in place of the agent. If it fails, the connection is closed. */
export type Script = (request: WireRequest, reply: WireReply) => void | Promise<void>;

/** Answers a gRPC call in place of the agent. If it fails, the call is reset. */
export type GrpcScript = (call: GrpcCall) => Promise<void>;

/** A gRPC call to send through the gateway. */
export interface GrpcSpec {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly message: Uint8Array;
  readonly metadata: HeaderPairs;
  readonly isStream?: true;
}

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
  /** the address of the agent's gRPC interface at the gateway (default: the one of `through`) */
  readonly grpcThrough?: string;
  /** an address at the gateway that leads to our own agent, which plays a webhook there */
  readonly callbackThrough?: string;
  /** the address at which our own agent listens for the gateway */
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
  readonly grpcThrough: string;
  readonly callbackThrough: string | undefined;
  readonly #headers: HeaderPairs;
  readonly #clients: PeerClients;
  readonly #http2: Http2Client;
  readonly #bed: Testbed;
  readonly #seen: { readonly begun: string; exchange?: Exchange }[] = [];
  readonly #signal: AbortSignal;
  readonly #upstream: EndsOptions["upstream"];
  /** ids in earlier requests */
  readonly #past = new Set<string>();
  /** scripts that still run */
  readonly #played = new Set<Promise<unknown>>();
  #script: { readonly plays: Script; readonly asked: readonly RequestSpec[] } | undefined;
  #grpcScript: { readonly plays: GrpcScript; readonly asked: RequestSpec } | undefined;
  #testCard: Promise<string> | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  static async open(options: EndsOptions): Promise<Ends> {
    const { through, grpcThrough, upstream, version, connection } = options;
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
      // The gateway may pass on its own name, or the name under which it knows the agent.
      allowedHosts: [
        ...[through, grpcThrough ?? through].map((each) => addressOf(each).hostname),
        ...(options.allowHosts ?? []),
      ],
      recorder,
      // More than any test sends: a rejection is always the gateway's.
      limits: { bodyBytes: 64 * 1024 * 1024 },
      before: (request, reply) => ends?.answer(request, reply) ?? false,
      beforeGrpc: (call) => ends?.answerGrpc(call) ?? false,
    });
    const clients = createPeerClients({ ...connection, recording: sent });
    const http2 = createHttp2Client({ ...connection, recording: sent });
    ends = new Ends(options, bed, clients, http2);
    recorder.onBegun(({ id }) => ends.#seen.push({ begun: id }));
    served.onExchange((exchange) => {
      const place = ends.#seen.find(({ begun }) => begun === exchange.id);
      if (place) place.exchange = exchange;
    });
    return ends;
  }

  private constructor(options: EndsOptions, bed: Testbed, clients: PeerClients, http2: Http2Client) {
    const { through, grpcThrough = through, headers = [], signal, upstream } = options;
    this.through = through.replace(/\/+$/, "");
    this.grpcThrough = grpcThrough;
    this.callbackThrough = options.callbackThrough;
    this.#headers = headers;
    this.#signal = signal;
    this.#upstream = upstream;
    this.#bed = bed;
    this.#clients = clients;
    this.#http2 = http2;
  }

  /** The address that the gateway has to lead to. */
  get upstreamUrl(): string {
    return `http://${this.#upstream.host}:${this.#bed.port}`;
  }

  /** Returns the card for the tests of cards, with its signature. */
  testCard(): Promise<string> {
    const own = { http: this.#bed.url, grpc: addressOf(this.#bed.url).host };
    const moved = { http: this.through, grpc: addressOf(this.grpcThrough).host };
    this.#testCard ??= this.#bed.cardOf("spec")!.then((card) => signedTestCard(card, own, moved));
    return this.#testCard;
  }

  /** Sends a request through the gateway and returns it as both ends saw it. A script replaces the agent. */
  send(spec: RequestSpec, script?: Script): Promise<GatewayCall> {
    return this.#during(spec, script, () => this.#clients.http.request(this.#shown(spec), this.#signal));
  }

  /** Sends a request without the caller's headers of these names. */
  sendWithout(names: readonly string[], spec: RequestSpec): Promise<GatewayCall> {
    const headers = this.#headers.filter(([name]) => !names.includes(name.toLowerCase()));
    return this.#during(spec, undefined, () => this.#clients.http.request(this.#shown(spec, headers), this.#signal));
  }

  /** Sends a request without the caller's headers, because credentials for the agent are not for webhooks. */
  notify(spec: RequestSpec, script: Script): Promise<GatewayCall> {
    return this.#during(spec, script, () => this.#clients.http.request({ ...spec, fresh: true }, this.#signal));
  }

  /** Opens a stream through the gateway, and returns it when it is over. */
  stream(spec: RequestSpec, script: Script, watch?: StreamWatch): Promise<GatewayCall> {
    return this.#during(spec, script, () => this.#follow(spec, watch));
  }

  /** Opens a stream over HTTP/2. A gateway without HTTP/2 has to refuse it within the time limit of a request. */
  streamOverHttp2(spec: RequestSpec, script: Script, { onEvent }: StreamWatch): Promise<GatewayCall> {
    return this.#during(spec, script, async () => {
      const stream = this.#http2.stream(this.#shown(spec), this.#signal);
      for await (const _ of stream.events) onEvent?.();
      return stream.finished;
    });
  }

  /** Sends a gRPC call through the gateway, and returns it when it is over. */
  call(spec: GrpcSpec, script?: GrpcScript, watch: StreamWatch = {}): Promise<GatewayCall> {
    const asked = { method: "POST", url: spec.path, body: spec.message };
    return this.#during(asked, undefined, async () => {
      this.#grpcScript = script && { plays: script, asked };
      const { onEvent, leave } = watch;
      const metadata = this.#shown({ ...asked, headers: spec.metadata }).headers ?? [];
      const signal = leave ? AbortSignal.any([this.#signal, leave]) : this.#signal;
      const patience = spec.isStream && { idleMs };
      const call = this.#clients
        .grpc()
        .call({ ...spec, url: this.grpcThrough, metadata, fresh: true, ...patience }, signal);
      for await (const _ of call.messages) onEvent?.();
      return call.finished;
    });
  }

  /** Sends several requests at the same time, and calls `onAnswer` after each of them. */
  sendAll(specs: readonly RequestSpec[], script: Script, onAnswer: () => void): Promise<GatewayCall[]> {
    return this.#together(specs, script, (spec) =>
      this.#clients.http.request(this.#shown(spec), this.#signal).finally(onAnswer),
    );
  }

  /** Opens several streams at the same time. */
  streams(specs: readonly RequestSpec[], script: Script): Promise<GatewayCall[]> {
    return this.#together(specs, script, (spec) => this.#follow(spec));
  }

  /** The ids in the requests tell the arrivals apart. */
  #together(
    specs: readonly RequestSpec[],
    script: Script,
    ask: (spec: RequestSpec) => Promise<Exchange>,
  ): Promise<GatewayCall[]> {
    return this.#inTurn(async () => {
      this.#script = { plays: script, asked: specs };
      const from = this.#seen.length;
      const clients = await Promise.all(specs.map(ask));
      const arrived = await this.#arrivedSince(from);
      const calls = specs.map((spec, n) => {
        const ids = new Set(idsIn(spec));
        return {
          client: clients[n]!,
          agent: arrived.filter(({ http }) => idsIn(http.request).some((id) => ids.has(id))),
        };
      });
      for (const spec of specs) for (const id of idsIn(spec)) this.#past.add(id);
      return calls;
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
    this.#http2.close();
    await this.#bed.close(0);
  }

  /** Lets the script answer, if there is one. */
  answer(request: WireRequest, reply: WireReply): boolean {
    const script = this.#script;
    // The agent itself answers health checks of the gateway.
    if (!script?.asked.some((asked) => isLike({ method: request.method, url: request.path }, asked))) return false;
    this.#play(
      async () => ((await isForeign(request, script.asked)) ? reply.send(404, {}, "") : script.plays(request, reply)),
      () => reply.raw.destroy(),
    );
    return true;
  }

  /** Lets the script answer a gRPC call, if there is one. */
  answerGrpc(call: GrpcCall): boolean {
    const script = this.#grpcScript;
    if (!script || !isLike({ method: "POST", url: call.path }, script.asked)) return false;
    this.#play(
      () => script.plays(call),
      () => call.raw.close(constants.NGHTTP2_INTERNAL_ERROR),
    );
    return true;
  }

  /** Runs a script, and calls `giveUp` if it fails, for example because the gateway left in the middle of a request. */
  #play(play: () => Promise<void>, giveUp: () => void): void {
    const played = play()
      .catch(giveUp)
      .finally(() => this.#played.delete(played));
    this.#played.add(played);
  }

  /** Adds the headers of the caller, which replace those of a test with the same name. */
  #shown(spec: RequestSpec, headers = this.#headers): RequestSpec {
    const given = new Set(headers.map(([name]) => name.toLowerCase()));
    const own = (spec.headers ?? []).filter(([name]) => !given.has(name.toLowerCase()));
    // On a kept connection the client itself might send a request twice.
    return { ...spec, fresh: true, headers: [...headers, ...own] };
  }

  async #follow(spec: RequestSpec, { onEvent, leave }: StreamWatch = {}): Promise<Exchange> {
    const signal = leave ? AbortSignal.any([this.#signal, leave]) : this.#signal;
    const stream = await this.#clients.http.stream({ ...this.#shown(spec), idleMs }, signal);
    for await (const _ of stream.events) onEvent?.();
    return stream.finished;
  }

  #during(spec: RequestSpec, script: Script | undefined, ask: () => Promise<Exchange>): Promise<GatewayCall> {
    return this.#inTurn(async () => {
      this.#script = script && { plays: script, asked: [spec] };
      const from = this.#seen.length;
      const client = await ask();
      const arrived = await this.#arrivedSince(from);
      const ids = idsIn(spec);
      const agent = copiesOf(
        arrived.filter((exchange) => this.#belongs(exchange, client)),
        ids,
      );
      for (const id of ids) this.#past.add(id);
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
    this.#grpcScript = undefined;
    return this.#seen.slice(from).flatMap(({ exchange }) => exchange ?? []);
  }
}

/** The address of gRPC may have no scheme. */
const addressOf = (address: string): URL => new URL(address.includes("://") ? address : `http://${address}`);

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** Returns the ids in the address and at the beginning of the body of a request. */
function idsIn({ url, body }: { readonly url: string; readonly body?: Uint8Array }): string[] {
  const text = body ? Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 4_096)).toString() : "";
  return `${url} ${text}`.match(uuids) ?? [];
}

/** Keeps the copies of a request. If the gateway replaced the ids, only a single arrival is the request for sure. */
function copiesOf(arrived: readonly Exchange[], ids: readonly string[]): readonly Exchange[] {
  if (ids.length === 0) return arrived;
  const copies = arrived.filter(({ http }) => idsIn(http.request).some((id) => ids.includes(id)));
  return copies.length > 0 || arrived.length > 1 ? copies : arrived;
}

/** Returns true for a request that the gateway makes on its own, such as a health check or one for a token. */
async function isForeign(request: WireRequest, asked: readonly RequestSpec[]): Promise<boolean> {
  const sent = asked.flatMap(({ body }) => body ?? []);
  if (sent.length === 0) return false;
  // If the body cannot be read, the script notices it itself.
  const body = await request.body().catch(() => undefined);
  if (!body || idsIn({ url: request.path, body }).some((id) => asked.flatMap(idsIn).includes(id))) return false;
  // A gateway may replace the ids.
  const namesIn = (bytes: Uint8Array): string[] => Object.keys(jsonObjectIn(Buffer.from(bytes).toString()) ?? {});
  const own = new Set(sent.flatMap(namesIn));
  return !namesIn(body).some((name) => own.has(name));
}

/** A gateway may change the beginning of a path. Health checks of gRPC are calls of another method. */
const isLike = (request: Pick<RequestSpec, "method" | "url">, asked: Pick<RequestSpec, "method" | "url">): boolean =>
  request.method === asked.method &&
  ((request.method !== "GET" && !grpcMethodAt(asked.url)) || lastSegment(request.url) === lastSegment(asked.url));

export const lastSegment = (url: string): string | undefined =>
  url
    .replace(/[?#].*$/, "")
    .split("/")
    .at(-1);
