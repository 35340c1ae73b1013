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

/** An agent that refuses to let us watch does so at once; after this long there is a stream, if a silent one. */
const refusalMs = 10_000;

/** What cannot be written into a header cannot be declared either. */
const sendable = /^[\x21-\x2b\x2d-\x7e]{1,500}$/;

/**
 * How a server ends a handshake whose certificate it does not want. In TLS 1.3 the client is done before the server has
 * looked at it, so that it comes with the first request.
 */
const ofHandshake: ReadonlySet<FailureCode> = new Set<FailureCode>(["tls", "reset", "closed-at-once", "closed-early"]);

/** Where requests go, on whose behalf, and what for. */
export interface RequestSettings {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  /** the name of the observation under way, for the record */
  readonly observation?: string;
  /** something is at work meanwhile that does not wait for us: these requests go before others */
  readonly urgent?: boolean;
  /** the observation, by its key, whose messages these are */
  readonly paidBy?: string;
  /** its place among those that make the agent work */
  readonly turn?: WorkTurn;
  /** what its time goes on */
  readonly lane?: Lane;
  /** the rule whose check asks by itself */
  readonly check?: string;
  /** what the observation under way rests on, by key: it sees the same to its end, whatever is made anew meanwhile */
  readonly needs?: ReadonlyMap<string, Promise<unknown>>;
}

/** How one attempt at a request is sent. */
export interface Sending extends ConnectionNeeds {
  /** past every queue, while all other requests wait */
  readonly alone?: true;
  /** filled up with blanks to this many bytes, where it is JSON */
  readonly size?: number;
}

/**
 * Sends single requests to an interface: translated into its version, with credentials, in turn, recorded. What is
 * repeated, and how often, is decided by the callers.
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

  /** Asks for a task that does not exist, past the queue: it shows whether anything answers. */
  async ask(withinMs: number, connection: ConnectionNeeds = { fresh: true }): Promise<Call> {
    const written = this.#write("GetTask", { id: this.#context.unknownIds.next() }, {});
    const binding = await this.#bind({}, { connection });
    const { exchange } = await binding.call("GetTask", written.body, this.#context.limit(withinMs));
    return this.#received(binding, exchange, "GetTask", written, {});
  }

  /** Opens a stream and waits until it shows whether it is one. */
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
    // Read twice: event by event as they come, and as a whole when it is over.
    const whole = { ...written, translation: written.translation?.fresh() };
    const opened = await binding.stream(operation, written.body, this.#context.limit(how.timeout));
    const call = opened.finished.then((exchange) => this.#received(binding, exchange, operation, whole, how));
    this.#context.cleanUp.awaitEnd(call);
    const stream = new LiveStream(this.#heard(opened.events, operation, written.translation), call, opened.close);
    // A message is answered when the agent has thought about it, also where the answer is a stream.
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
    if (!plain) throw new TypeError(`${this.#on.binding} is not written as HTTP requests.`);
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

  /** What goes onto the wire for a request in the words of 1.0. */
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

  /** The binding of the interface, with the header fields of this request. */
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

  /** The clients of the principal. */
  get #clients(): PeerClients {
    return this.#context.clients.as(this.#settings.principal);
  }

  /** Callers without the certificate of the user may be turned away before a word is spoken. */
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

  /** An agent that requires extensions is asked with them, unless a check is about just that. */
  #requiredExtensions(): HeaderPairs {
    const required = this.#facts.extensions
      .filter(({ required: isRequired, uri }) => isRequired && sendable.test(uri))
      .slice(0, cardCaps.extensions)
      .map(({ uri }) => uri);
    if (required.length === 0 || this.#on.dialect === "0.1") return [];
    return [[extensionsHeader, required.join(", ")]];
  }

  /** The events of a stream in the words of 1.0, as they are read. */
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

/** A request as the checks put it, where it was put so, and what makes the answer to it readable for them. */
interface Written {
  readonly params: JsonObject | undefined;
  readonly translation: Translation | undefined;
}

/** Whether the JSON of a request in the words of 1.0 fits its schema. */
export const isFair = (operation: Operation, params: JsonObject): boolean =>
  validate(operations[operation].request, params).length === 0;

/** The same JSON with blanks behind it, up to this size. */
const filledTo =
  (size: number): RequestChange =>
  (request) => {
    const { body } = request;
    if (!body || body.length >= size) return request;
    const filled = new Uint8Array(size).fill(0x20);
    filled.set(body);
    return { ...request, body: filled };
  };
