import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  errorTable,
  extensionsHeader,
  type JsonObject,
  type Message,
  type Operation,
  operations,
  type StreamingOperation,
  type UnaryOperation,
  validate,
} from "@assay/protocol";
import {
  type Arrived,
  createRawClient,
  type Exchange,
  type Handshake,
  type HeaderPairs,
  openLine,
  type PeerBinding,
  type PeerInterface,
  type RawStep,
  type RequestSpec,
  shakeHands,
  type TlsVersion,
} from "@assay/wire";
import type { Call } from "../../call.ts";
import { isInternal, isPassing } from "../../expect-error.ts";
import { LiveStream } from "../../live-stream.ts";
import type { Observation } from "../../observation.ts";
import { Obstacle, skipped } from "../../obstacle.ts";
import type { PrincipalName } from "../../principal.ts";
import type { PromptKind } from "../../prompt-kind.ts";
import { errorOf, taskIn } from "../../reading.ts";
import type { How, HttpChange, SendMore, Target } from "../../target.ts";
import { idLike, isSend, type Session } from "../session.ts";
import { headersFor, Translation } from "./translation.ts";

/** How often a working message is tried: an agent that breaks down every time is judged, one that did once is not. */
const attempts = 3;
/** How often we come back to an agent that is pressed. */
const patience = 6;
/** Who turns a stream away does it at once; after this long there is a stream, if a silent one. */
const refusalMs = 10_000;
const quietMs = 1_000;
/** However long an agent takes to cancel, the user does not wait longer for it. */
const tidyMs = 5_000;
const graceDefault = 30_000;
const taskTimeoutDefault = 300_000;

export interface BenchPlace {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  /** what the observation under way is called, for the record */
  readonly during?: string;
  /** something is at work meanwhile that does not wait for us: calls go before others */
  readonly urgent?: boolean;
}

/** A lab on a real interface. */
export class InterfaceUnderTest implements Target {
  readonly on: PeerInterface;
  readonly principal: PrincipalName;
  readonly #session: Session;
  readonly #during: string | undefined;
  readonly #urgent: boolean;
  readonly #others: (target: InterfaceUnderTest) => readonly Target[];

  /** `others` are all tested interfaces of the agent, in every version. */
  constructor(session: Session, place: BenchPlace, others: (target: InterfaceUnderTest) => readonly Target[]) {
    this.#session = session;
    this.on = place.on;
    this.principal = place.principal;
    this.#during = place.during;
    this.#urgent = place.urgent ?? false;
    this.#others = others;
  }

  get facts(): Target["facts"] {
    return this.#session.facts;
  }

  get strict(): boolean {
    return this.#session.options.strict ?? false;
  }

  get expectations(): Target["expectations"] {
    return this.#session.options.expectations ?? {};
  }

  get grace(): number {
    return this.#session.options.grace ?? graceDefault;
  }

  get quiet(): number {
    return Math.min(this.grace, quietMs);
  }

  get taskTimeout(): number {
    return this.#session.options.taskTimeout ?? taskTimeoutDefault;
  }

  get siblings(): readonly Target[] {
    return this.#others(this).filter(({ on }) => on.dialect === this.on.dialect);
  }

  get elsewhere(): readonly Target[] {
    return this.#others(this).filter(({ on }) => on.dialect !== this.on.dialect);
  }

  get webhook(): Target["webhook"] {
    return this.#session.webhook;
  }

  /** The same place, for an observation. */
  during({ name, messages }: Observation<unknown>): InterfaceUnderTest {
    return this.#moved({ during: name, urgent: messages > 0 });
  }

  as(principal: PrincipalName): InterfaceUnderTest | undefined {
    const { principals, headers } = this.#session.options;
    if (principal === "second" && !principals?.second) return undefined;
    if (principal === "restricted" && !principals?.restricted) return undefined;
    if (principal === "user" && headers === undefined) return this;
    return this.#moved({ principal });
  }

  under(tenant: string | undefined): InterfaceUnderTest {
    const { tenant: _, ...bare } = this.on;
    return this.#moved({ on: tenant === undefined ? bare : { ...bare, tenant } });
  }

  #moved(change: Partial<BenchPlace>): InterfaceUnderTest {
    const place: BenchPlace = {
      on: this.on,
      principal: this.principal,
      ...(this.#during !== undefined && { during: this.#during }),
      urgent: this.#urgent,
      ...change,
    };
    return new InterfaceUnderTest(this.#session, place, this.#others);
  }

  async call(operation: UnaryOperation, params: JsonObject, how: How = {}): Promise<Call> {
    const ask = async (): Promise<Call> => {
      const said = this.#say(operation, params, how);
      const line = await this.#line(how);
      const { exchange } = await this.#inTurn(() => line.call(operation, said.body, this.#limit(how)));
      return this.#heard(line, exchange, operation, said, how);
    };
    if (isSend(operation) && !how.refusable) return this.#working(ask);
    return how.unrepeated ? ask() : this.#patient(ask);
  }

  async open(operation: StreamingOperation, params: JsonObject, how: How = {}): Promise<LiveStream> {
    const working = isSend(operation) && !how.refusable;
    const place = `${operation} ${this.on.url}`;
    let refusedAbove: LiveStream | undefined;
    for (let attempt = 1; ; attempt++) {
      if (working) this.#session.budget.take();
      await this.#session.pace.turn((ms) => this.sleep(ms));
      const below = refusedAbove !== undefined || this.#session.streamsBelow.has(place);
      const byGet =
        operation === "SubscribeToTask" &&
        this.on.binding === "HTTP+JSON" &&
        this.#session.subscribesByGet.has(this.on.url);
      const said = this.#say(operation, params, how);
      const line = await this.#line(how, byGet ? asGet : below ? atSubscribe : undefined);
      const afterwards = { ...said, translation: said.translation?.anew() };
      const opened = await line.stream(operation, said.body, this.#limit(how));
      const call = opened.finished.then((exchange) => this.#heard(line, exchange, operation, afterwards, how));
      this.#session.debts.awaitEnd(call);
      const live = new LiveStream(translated(opened.events, operation, said.translation), call, opened.close);
      const first = await live.peek(Math.min(this.taskTimeout, how.opensWithin ?? refusalMs));
      if (operation === "SubscribeToTask" && !byGet && (await this.#isOtherVerb(live, first))) {
        this.#session.subscribesByGet.add(this.on.url);
        continue;
      }
      if (!below && (await this.#isElsewhere(live, first))) {
        if (working) this.#session.budget.giveBack();
        refusedAbove = live;
        continue;
      }
      if (refusedAbove && first !== undefined && first.is !== "result") return refusedAbove;
      if (below) this.#session.streamsBelow.add(place);
      if (first === undefined || first.is === "result") return live;
      const refused = await live.hangUp();
      if (!isPassing(refused)) return live;
      if (working) this.#session.budget.giveBack();
      if (attempt > patience) throw pressed(refused);
      await this.#backOff(refused, attempt);
    }
  }

  /** The text says POST and the proto GET (AMB-04): a server needs to know one of them. */
  async #isOtherVerb(live: LiveStream, first: Arrived | undefined): Promise<boolean> {
    if (this.on.binding !== "HTTP+JSON" || first === undefined || first.is === "result") return false;
    const { exchange, reply } = await live.hangUp();
    const status = exchange.http.response?.status;
    return status === 405 || status === 501 || (status === 404 && reply.is === "malformed");
  }

  /** Agents of 0.1 may serve streams under `/subscribe`, as guides of the time have it: who knows no such method here. */
  async #isElsewhere(live: LiveStream, first: Arrived | undefined): Promise<boolean> {
    if (this.on.dialect !== "0.1" || first === undefined || first.is === "result") return false;
    const refused = await live.hangUp();
    const status = refused.exchange.http.response?.status;
    return (
      errorOf(refused)?.code === errorTable.MethodNotFound.code ||
      (refused.reply.is === "malformed" && (status === 404 || status === 405))
    );
  }

  async http(operation: Operation, params: JsonObject, change: HttpChange, how: How = {}): Promise<Call> {
    return this.#patient(async () => {
      const said = this.#say(operation, params, how);
      const line = await this.#line(how);
      const plain = line.write(operation, said.body);
      if (!plain) throw new TypeError(`${this.on.binding} is not written as HTTP requests.`);
      const request = change({ ...plain, headers: plain.headers ?? [] });
      const exchange = await this.#inTurn(() => this.#session.clients.http.request(request, this.#limit(how)));
      return this.#heard(line, exchange, operation, { translation: said.translation }, { fair: false, ...how });
    });
  }

  async raw(steps: readonly RawStep[]): Promise<Exchange> {
    const { options, diary } = this.#session;
    const { guard, tls, timeouts } = options.connection;
    const client = createRawClient({
      guard,
      recording: diary.recording,
      ...(tls && { tls }),
      ...(timeouts && { timeouts }),
    });
    const exchange = await this.#inTurn(() => client.send({ url: this.on.url, steps }, this.#session.signal));
    this.#record(exchange);
    return exchange;
  }

  async shakeHands(version: TlsVersion): Promise<Handshake> {
    const { options, signal } = this.#session;
    const alpn = this.on.binding === "GRPC" ? ({ alpn: "h2" } as const) : {};
    return this.#inTurn(() => shakeHands(this.on.url, version, { ...options.connection, ...alpn, signal }));
  }

  async fetch(request: RequestSpec): Promise<Exchange> {
    const headers = [...(request.headers ?? []), ...this.#credentials(request.url)];
    const exchange = await this.#inTurn(() =>
      this.#session.clients.http.request({ ...request, headers }, this.#session.signal),
    );
    this.#record(exchange);
    return exchange;
  }

  hasPrompt(kind: PromptKind): boolean {
    return this.#session.stimuli[kind] !== undefined;
  }

  message(kind: PromptKind, more: Partial<Message> = {}): Message {
    const stimulus = this.#session.stimuli[kind];
    if (!stimulus) {
      throw skipped("prompt", `no message is known that makes this agent show it`, `prompts.${kind} in assay.yaml`);
    }
    const { text, idPrefix } = stimulus;
    const messageId = idPrefix === undefined ? randomUUID() : `${idPrefix}-${randomUUID()}`;
    return { messageId, role: "ROLE_USER", parts: [{ text }], ...more };
  }

  async send(kind: PromptKind, more: SendMore = {}): Promise<Call> {
    for (let attempt = 1; ; attempt++) {
      const call = await this.call("SendMessage", this.#sendParams(kind, more), more);
      // A task that has failed takes no further message: what was said to an older one cannot be said again.
      const isNew = more.message?.taskId === undefined;
      const failed = taskIn(call)?.state === "TASK_STATE_FAILED" && kind !== "failure" && isNew;
      if (attempt >= attempts || !(isInternal(call) || failed)) return answeredInTime(call);
      await this.#backOff(call, attempt);
    }
  }

  async stream(kind: PromptKind, more: SendMore = {}): Promise<LiveStream> {
    for (let attempt = 1; ; attempt++) {
      const live = await this.open("SendStreamingMessage", this.#sendParams(kind, more), more);
      const first = await live.peek(0);
      if (attempt >= attempts || first?.is !== "error") return live;
      const refused = await live.hangUp();
      if (!isInternal(refused)) return live;
      await this.#backOff(refused, attempt);
    }
  }

  #sendParams(kind: PromptKind, { message, parts, configuration, metadata }: SendMore): JsonObject {
    const said = this.message(kind, { ...message, ...(parts && { parts: [...parts] }) });
    return {
      // A message of ours is JSON.
      message: said as unknown as JsonObject,
      ...(configuration && { configuration }),
      ...(metadata && { metadata }),
    };
  }

  observe<T>(one: Observation<T>): Promise<T> {
    return this.#session.observe(one, this);
  }

  unknownId(): string {
    return idLike(this.#session.debts.sampleId);
  }

  async sleep(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#session.signal }).catch(() => {});
  }

  now(): number {
    return performance.now();
  }

  /** A message that makes the agent work: counted, timed, and asked again while the agent is only pressed. */
  async #working(ask: () => Promise<Call>): Promise<Call> {
    const { budget, workSlots, onWorked } = this.#session;
    for (let attempt = 1; ; attempt++) {
      budget.take();
      const startedAt = performance.now();
      const call = await ask();
      if (!isPassing(call)) {
        onWorked(performance.now() - startedAt);
        return call;
      }
      // Turned away unread: no work was done. Whoever is pressed by two at a time gets one.
      budget.giveBack();
      workSlots.shrinkTo(1);
      if (attempt > patience) throw pressed(call);
      await this.#backOff(call, attempt);
    }
  }

  /** A call that makes no work: asked again while the agent is pressed; a breakdown must happen twice to count. */
  async #patient(ask: () => Promise<Call>): Promise<Call> {
    let brokeDown = false;
    for (let attempt = 1; ; attempt++) {
      const call = await ask();
      if (isPassing(call)) {
        if (attempt > patience) throw pressed(call);
        await this.#backOff(call, attempt);
        continue;
      }
      const isBroken =
        isInternal(call) ||
        // Broken down in a form of its own: a page of the web server, a code that nobody defined.
        call.exchange.http.response?.status === 500 ||
        (call.reply.is === "failure" && call.reply.failure.code !== "aborted");
      if (!isBroken || brokeDown) return call;
      brokeDown = true;
      await this.sleep(100);
    }
  }

  async #backOff({ exchange }: Call, attempt: number): Promise<void> {
    const asked = exchange.http.response?.headers.find(([name]) => /^retry-after$/i.test(name))?.[1];
    const seconds = asked !== undefined && /^\d{1,4}$/.test(asked) ? Number(asked) : undefined;
    // Whoever says "at once" and turns us away again gets a little more time each time.
    const least = seconds === undefined ? 250 * 2 ** attempt : Math.max(seconds * 1000 + 50, 50 * 2 ** attempt);
    await this.sleep(Math.min(least, 30_000));
  }

  /** What goes onto the wire for a request in the words of 1.0. */
  #say(operation: Operation, params: JsonObject, { literal }: How): Said & { readonly body: JsonObject } {
    const full = this.#withTenant(params);
    const translation = Translation.of(this.on);
    if (!translation) return { params: full, body: full, translation };
    return literal
      ? { params: undefined, body: params, translation }
      : { params: full, body: translation.write(operation, full), translation };
  }

  #withTenant(params: JsonObject): JsonObject {
    const { tenant } = this.on;
    return tenant === undefined || "tenant" in params ? params : { tenant, ...params };
  }

  #line({ headers = [], edit }: How, change?: (request: RequestSpec) => RequestSpec): Promise<PeerBinding> {
    const { clients } = this.#session;
    const all = [...this.#credentials(this.on.url), ...this.#extensions(), ...headers];
    const spelled = headersFor(this.on, edit);
    return openLine(clients, this.on, { headers: all, ...(spelled && { edit: spelled }), ...(change && { change }) });
  }

  /** Credentials go to the host that the user named, not to wherever the card points. */
  #credentials(url: string): HeaderPairs {
    const { options, facts } = this.#session;
    const [there, card] = [new URL(url), new URL(facts.cardUrl)];
    if (!options.connection.guard.trusts(url)) return [];
    // gRPC mostly has a port of its own.
    const same = this.on.binding === "GRPC" ? there.hostname === card.hostname : there.host === card.host;
    if (!same) return [];
    if (card.protocol === "https:" && there.protocol === "http:") return [];
    switch (this.principal) {
      case "user":
        return options.headers ?? [];
      case "anonymous":
        return [];
      case "second":
      case "restricted":
        return options.principals?.[this.principal]?.headers ?? [];
    }
  }

  /** An agent that requires extensions is asked with them, unless a check is about just that. */
  #extensions(): HeaderPairs {
    const required = this.facts.extensions.filter((each) => each.required).map(({ uri }) => uri);
    if (required.length === 0 || this.on.dialect === "0.1") return [];
    return [[extensionsHeader, required.join(", ")]];
  }

  #limit({ timeout }: How): AbortSignal {
    const { signal, afterwards } = this.#session;
    if (afterwards) return AbortSignal.timeout(tidyMs);
    return timeout === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  }

  async #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const { callSlots, pace, signal, afterwards } = this.#session;
    return callSlots.run(async () => {
      await pace.turn((ms) => this.sleep(ms));
      if (signal.aborted && !afterwards)
        throw new Obstacle({ is: "not-examined", reason: "interrupted", because: "the run was interrupted" });
      return ask();
    }, this.#urgent);
  }

  #heard(line: PeerBinding, exchange: Exchange, operation: Operation, { params, translation }: Said, how: How): Call {
    const fair = how.fair ?? (params !== undefined && validate(operations[operation].request, params).length === 0);
    const said = line.read(operation, exchange);
    const call: Call = {
      exchange,
      on: this.on,
      operation,
      ...(params && { params }),
      reply: translation?.read(operation, said) ?? said,
      said,
      fair,
      streamed: "streams" in operations[operation],
    };
    const working = isSend(operation) && params !== undefined && !how.refusable && !isPassing(call);
    this.#record(exchange, operation, working);
    this.#session.debts.note(call, { on: this.on, call: (name, given) => this.call(name, given) });
    this.#session.onCall(call);
    return call;
  }

  #record(exchange: Exchange, operation?: string, working?: boolean): void {
    this.#session.diary.write(exchange, {
      ...(operation !== undefined && { operation }),
      on: this.on,
      ...(this.#during !== undefined && { during: this.#during }),
      ...(working && { working }),
    });
  }
}

/** A request as the checks put it, where it was put so, and what makes the answer to it readable for them. */
interface Said {
  readonly params?: JsonObject | undefined;
  readonly translation: Translation | undefined;
}

async function* translated(
  frames: AsyncIterable<Arrived>,
  operation: Operation,
  translation: Translation | undefined,
): AsyncGenerator<Arrived, void> {
  for await (const frame of frames) yield* translation?.readFrame(operation, frame) ?? [frame];
}

/** The same request by GET, which has no body. */
const asGet = ({ method: _, body: __, headers = [], ...request }: RequestSpec): RequestSpec => ({
  ...request,
  method: "GET",
  headers: headers.filter(([name]) => !/^content-/i.test(name)),
});

/** The same request to the address for streams that some agents of 0.1 have. */
function atSubscribe(request: RequestSpec): RequestSpec {
  const url = new URL(request.url);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/subscribe`;
  return { ...request, url: url.href };
}

const pressed = ({ exchange }: Call): Obstacle =>
  skipped(
    "unstable",
    `the agent turned us away again and again (HTTP ${exchange.http.response?.status ?? "?"})`,
    "--rate <requests per second>",
  );

/** Slowness is no fault: what did not come in time was not examined. */
function answeredInTime(call: Call): Call {
  if (call.reply.is !== "failure") return call;
  const { code, message } = call.reply.failure;
  if (code.startsWith("timeout"))
    throw skipped("unstable", `the agent did not answer in time (${message})`, "--timeout <seconds>");
  if (code === "aborted") throw skipped("interrupted", "the run was interrupted");
  return call;
}
