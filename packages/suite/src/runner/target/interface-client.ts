import { extensionsHeader, type JsonObject, type Operation, operations, validate } from "@assay/protocol";
import {
  type Arrived,
  type ConnectionNeeds,
  createRawClient,
  type Exchange,
  type FailureCode,
  type Handshake,
  type HeaderPairs,
  openLine,
  type PeerBinding,
  type PeerClients,
  type PeerInterface,
  type RawStep,
  type RequestSpec,
  shakeHands,
  type TlsVersion,
  withParameters,
} from "@assay/wire";
import { isPassing } from "../../answers/expect-error.ts";
import { isSend } from "../../answers/operations-of.ts";
import { isAccepted } from "../../answers/reading.ts";
import type { AgentFacts } from "../../card/agent-facts.ts";
import { cardCaps } from "../../card/card-caps.ts";
import type { Call } from "../../define/call.ts";
import { LiveStream } from "../../define/live-stream.ts";
import type { PrincipalName } from "../../define/principal.ts";
import type { How, HttpChange } from "../../define/target.ts";
import { boundCredentials, certificateOf, credentialsOf } from "../credentials.ts";
import { tlsOf } from "../run-clients.ts";
import type { RunContext } from "../run-context.ts";
import { fetchPatiently } from "./fetching.ts";
import type { Lane } from "./lane.ts";
import type { RequestChange, StreamAttempt } from "./stream-fallback.ts";
import { headersFor, Translation } from "./translation.ts";
import type { WorkTurn } from "./work-turn.ts";

/** An agent that rejects a subscription does so at once. After this time the stream counts as open. */
const refusalMs = 10_000;

/** Only extensions that fit into a header can be declared. */
const sendable = /^[\x21-\x2b\x2d-\x7e]{1,500}$/;

/**
 * The ways a server rejects a certificate. In TLS 1.3 the client finishes the handshake before the server checks it,
 * so the rejection arrives with the first request.
 */
const ofHandshake: ReadonlySet<FailureCode> = new Set<FailureCode>(["tls", "reset", "closed-at-once", "closed-early"]);

/** The destination, principal and purpose of requests. */
export interface RequestSettings {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  /** the name of the current observation, for the recording */
  readonly observation?: string;
  /** the agent is working meanwhile, so these requests go before others */
  readonly urgent?: boolean;
  /** the key of the observation that pays for these messages */
  readonly paidBy?: string;
  /** its place among the observations that make the agent work */
  readonly turn?: WorkTurn;
  /** records the use of its time */
  readonly lane?: Lane;
  /** the rule whose check sends the requests itself */
  readonly check?: string;
  /**
   * the dependencies of the current observation, by key: it sees the same results to its end, even if they are
   * repeated meanwhile
   */
  readonly needs?: ReadonlyMap<string, Promise<unknown>>;
}

/** Options for one attempt at a request. */
export interface Sending extends ConnectionNeeds {
  /** past every queue, while all other requests wait */
  readonly alone?: true;
  /** JSON padded with spaces to this many bytes */
  readonly size?: number;
}

/**
 * Sends single requests to an interface: translated, with credentials, paced and recorded. The callers decide about
 * retries.
 */
export class InterfaceClient {
  readonly #context: RunContext;
  readonly #facts: AgentFacts;
  readonly #settings: RequestSettings;
  readonly #onCall: (call: Call) => void;

  constructor(context: RunContext, facts: AgentFacts, settings: RequestSettings, onCall: (call: Call) => void) {
    this.#context = context;
    this.#facts = facts;
    this.#settings = settings;
    this.#onCall = onCall;
  }

  get #on(): PeerInterface {
    return this.#settings.on;
  }

  async call(operation: Operation, params: JsonObject, how: How, sending: Sending = {}): Promise<Call> {
    const { alone, size, ...connection } = sending;
    const written = this.#write(operation, params, how);
    const binding = await this.#bind(how, {
      connection: how.fresh ? { ...connection, fresh: true } : connection,
      ...(size !== undefined && { change: filledTo(size) }),
    });
    const ask = () => binding.call(operation, written.body, this.#context.limit(how.timeout));
    const hasPlace = this.#settings.turn && isSend(operation) && !how.refusable;
    const { exchange } = await (hasPlace && !alone ? this.#context.atPace(ask) : this.#inTurn(ask, alone));
    return this.#received(binding, exchange, operation, written, how);
  }

  /** Asks for a task that does not exist, past the queue, to see if anything answers. */
  async ask(withinMs: number, connection: ConnectionNeeds = { fresh: true }): Promise<Call> {
    const written = this.#write("GetTask", { id: this.#context.unknownIds.next() }, {});
    const binding = await this.#bind({}, { connection });
    const { exchange } = await binding.call("GetTask", written.body, this.#context.limit(withinMs));
    return this.#received(binding, exchange, "GetTask", written, {});
  }

  /** Opens a stream and waits until the response is known to be one. */
  async stream(
    operation: Operation,
    params: JsonObject,
    how: How,
    more: {
      readonly within: number;
      readonly change: RequestChange | undefined;
      readonly sending: Sending;
    },
  ): Promise<StreamAttempt> {
    const { alone, size, ...connection } = more.sending;
    if (!alone) await this.#context.paced();
    const written = this.#write(operation, params, how);
    const change = size === undefined ? more.change : filledTo(size);
    const binding = await this.#bind(how, { change, connection });
    // Reads it twice: event by event, and as a whole at the end.
    const whole = { ...written, translation: written.translation?.fresh() };
    const opened = await binding.stream(operation, written.body, this.#context.limit(how.timeout));
    const call = opened.finished.then((exchange) => this.#received(binding, exchange, operation, whole, how));
    this.#context.cleanUp.awaitEnd(call);
    const stream = new LiveStream(this.#heard(opened.events, operation, written.translation), call, opened.close);
    // A message is answered when the agent has finished thinking, even if the response is a stream.
    const opensWithin = how.opensWithin ?? (isSend(operation) ? more.within : refusalMs);
    const first = await stream.peek(Math.min(more.within, opensWithin));
    const isRefused = first !== undefined && first.is !== "result";
    return { stream, refusal: isRefused ? await stream.hangUp() : undefined };
  }

  async http(
    operation: Operation,
    params: JsonObject,
    change: HttpChange,
    how: How,
    { alone, ...connection }: Sending = {},
  ): Promise<Call> {
    const { body, translation } = this.#write(operation, params, how);
    const binding = await this.#bind(how);
    const plain = binding.write(operation, body);
    if (!plain) throw new TypeError(`${this.#on.binding} does not use HTTP requests.`);
    const request = { ...change({ ...plain, headers: plain.headers ?? [] }), ...connection };
    const exchange = await this.#inTurn(
      () =>
        this.#clients.http.request(
          { ...request, ...(how.query && { query: how.query }) },
          this.#context.limit(how.timeout),
        ),
      alone,
    );
    return this.#received(
      binding,
      exchange,
      operation,
      { params: undefined, translation },
      {
        fair: false,
        ...how,
        refusable: true,
      },
    );
  }

  async raw(steps: readonly RawStep[]): Promise<Exchange> {
    const { options, log, signal } = this.#context;
    const { guard, timeouts: { connect, idle } = {} } = options.connection;
    const client = createRawClient({
      guard,
      credentials: boundCredentials(options),
      recording: log.recording,
      tls: tlsOf(this.#settings.principal, options),
      timeouts: { ...(connect !== undefined && { connect }), ...(idle !== undefined && { idle }) },
    });
    const exchange = await this.#inTurn(() => client.send({ url: this.#on.url, steps }, signal));
    this.#record(exchange);
    return exchange;
  }

  shakeHands(version: TlsVersion): Promise<Handshake> {
    const { options, signal } = this.#context;
    const alpn = this.#on.binding === "GRPC" ? ({ alpn: "h2" } as const) : {};
    return this.#inTurn(() =>
      shakeHands(this.#on.url, version, {
        ...options.connection,
        tls: tlsOf(this.#settings.principal, options),
        credentials: boundCredentials(options),
        ...alpn,
        signal,
      }),
    );
  }

  async fetch(request: RequestSpec): Promise<Exchange> {
    const { signal } = this.#context;
    const clients = this.#clients;
    const headers = [...(request.headers ?? []), ...this.#credentials];
    const ask = async (needs: ConnectionNeeds): Promise<Exchange> => {
      const exchange = await this.#inTurn(() => clients.http.request({ ...request, headers, ...needs }, signal));
      this.#record(exchange);
      return exchange;
    };
    return fetchPatiently(ask, this.#context.patience);
  }

  #inTurn<T>(ask: () => Promise<T>, alone?: true): Promise<T> {
    return alone ? ask() : this.#context.inTurn(ask, this.#settings.urgent ?? false);
  }

  /** Returns the wire form of a request in terms of 1.0. */
  #write(operation: Operation, params: JsonObject, { literal }: How): Written & { readonly body: JsonObject } {
    const full = this.#withTenant(params);
    const translation = Translation.of(this.#on);
    if (!translation) return { params: full, body: full, translation };
    return literal
      ? { params: undefined, body: params, translation }
      : { params: full, body: translation.write(operation, full), translation };
  }

  #withTenant(params: JsonObject): JsonObject {
    const { tenant } = this.#on;
    return tenant === undefined || "tenant" in params ? params : { tenant, ...params };
  }

  /** Creates the binding of the interface, with the header fields of this request. */
  #bind(
    { headers = [], query, edit }: How,
    { change, connection }: { change?: RequestChange | undefined; connection?: ConnectionNeeds | undefined } = {},
  ): Promise<PeerBinding> {
    const all = [...this.#credentials, ...this.#requiredExtensions(), ...headers];
    const spelled = headersFor(this.#on, edit);
    const clients = query ? withParameters(this.#clients, query) : this.#clients;
    return openLine(clients, this.#on, {
      headers: all,
      ...(spelled && { edit: spelled }),
      ...(change && { change }),
      ...(connection && { connection }),
    });
  }

  get #credentials(): HeaderPairs {
    return credentialsOf(this.#settings.principal, this.#context.options).headers;
  }

  /** Returns the clients of the principal. */
  get #clients(): PeerClients {
    return this.#context.clients.as(this.#settings.principal);
  }

  /** A server may reject callers without the user's certificate in the handshake. */
  #isShutOut({ failure, http }: Exchange): boolean {
    const { options } = this.#context;
    const [theirs, ours] = [certificateOf(this.#settings.principal, options), certificateOf("user", options)];
    return (
      failure !== undefined &&
      theirs?.cert !== ours?.cert &&
      http.request.url.startsWith("https:") &&
      ofHandshake.has(failure.code)
    );
  }

  /** Declares the required extensions, unless a check is about them. */
  #requiredExtensions(): HeaderPairs {
    const required = this.#facts.extensions
      .filter(({ required: isRequired, uri }) => isRequired && sendable.test(uri))
      .slice(0, cardCaps.extensions)
      .map(({ uri }) => uri);
    if (required.length === 0 || this.#on.dialect === "0.1") return [];
    return [[extensionsHeader, required.join(", ")]];
  }

  /** Yields the events of a stream in terms of 1.0. */
  async *#heard(
    frames: AsyncIterable<Arrived>,
    operation: Operation,
    translation: Translation | undefined,
  ): AsyncGenerator<Arrived, void> {
    for await (const frame of frames) {
      for (const event of translation?.readFrame(operation, frame) ?? [frame]) {
        this.#settings.turn?.noteEvent(event);
        this.#context.heard(event, operation, this.#settings);
        yield event;
      }
    }
  }

  #received(
    binding: PeerBinding,
    exchange: Exchange,
    operation: Operation,
    { params, translation }: Written,
    how: How,
  ): Call {
    const fair = how.fair ?? (params !== undefined && isFair(operation, params));
    const said = binding.read(operation, exchange);
    const call: Call = {
      exchange,
      on: this.#on,
      operation,
      ...(params && { params }),
      reply: translation?.read(operation, said) ?? said,
      said,
      fair,
      streamed: "streams" in operations[operation],
      ...(this.#isShutOut(exchange) && { shutOut: true }),
    };
    const working = isSend(operation) && (how.refusable ? isAccepted(call) : !isPassing(call));
    const written = this.#record(exchange, operation, working);
    const lean = this.#context.leanCalls.of(call, written);
    const { turn, lane } = this.#settings;
    if (lane) lane.hasAsked = true;
    turn?.note(call);
    this.#onCall(call);
    return lean;
  }

  #record(exchange: Exchange, operation?: string, working?: boolean): Exchange {
    const { on, observation } = this.#settings;
    return this.#context.log.write(exchange, {
      ...(operation !== undefined && { operation }),
      on,
      ...(observation !== undefined && { observation }),
      ...(working && { working }),
    });
  }
}

/** A request as the checks wrote it, and the translation that reads its response. */
interface Written {
  readonly params: JsonObject | undefined;
  readonly translation: Translation | undefined;
}

/** Returns true if the JSON of a request matches the schema of 1.0. */
export const isFair = (operation: Operation, params: JsonObject): boolean =>
  validate(operations[operation].request, params).length === 0;

/** Pads JSON with spaces to this size. */
const filledTo =
  (size: number): RequestChange =>
  (request) => {
    const { body } = request;
    if (!body || body.length >= size) return request;
    const filled = new Uint8Array(size).fill(0x20);
    filled.set(body);
    return { ...request, body: filled };
  };
