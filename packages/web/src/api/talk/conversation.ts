import { randomUUID } from "node:crypto";
import {
  type DialectExchange,
  isObject,
  isStreaming,
  type JsonObject,
  type JsonValue,
  lintCard,
  type NormalisedCard,
  type Operation,
  type StreamResponse,
  startExchange,
  type Violation,
  validate,
} from "@assay/protocol";
import { PairJudge, readNotification, startReceiver, type WebhookDelivery, type WebhookReceiver } from "@assay/suite";
import type {
  TalkDocument,
  TalkEvent,
  TalkTrouble,
  TalkViolation,
  TurnArrival,
  WireView,
} from "@assay/viewer/documents";
import {
  type Arrived,
  cardOddities,
  contactTrouble,
  createPeer,
  dialectFor,
  type Exchange,
  type FoundCard,
  methodOf,
  openLine,
  type PeerInterface,
  type PeerTrouble,
  speakable,
} from "@assay/wire";
import { ApiError } from "../../server/api-error.ts";
import { EventLog } from "../../server/event-log.ts";
import type { OpenWay } from "./agent-way.ts";
import { refusedHint } from "./refused-hint.ts";
import { paramsOf, wiresOf } from "./wires.ts";

/** A request to the agent, with the member names of A2A 1.0. */
export interface Asking {
  readonly operation: Operation;
  readonly request: JsonObject;
  /** the index of the interface on the card (default: the first that Assay supports) */
  readonly on?: number;
  /** asks the agent to call Assay's webhook about the task */
  readonly push?: boolean;
}

interface Turn {
  readonly operation: Operation;
  readonly request: JsonObject;
  readonly on: PeerInterface;
  readonly hangUp: AbortController;
  readonly answers: JsonValue[];
  isOver: boolean;
}

/** The number of events that a page receives if it connects late. Older events are dropped. */
const mostEvents = 50_000;

/** The maximum number of open turns in one conversation. */
const mostOpen = 20;

/** A manual conversation with one agent: the requests, the responses and their verdicts. */
export class Conversation {
  readonly document: TalkDocument;
  readonly log = new EventLog<TalkEvent>(mostEvents);
  readonly #way: OpenWay;
  readonly #interfaces: readonly (PeerInterface | undefined)[];
  readonly #judge: Promise<PairJudge>;
  readonly #turns: Turn[] = [];
  #receiver: Promise<WebhookReceiver> | undefined;
  #webhooks = 0;

  constructor(id: string, way: OpenWay, found: FoundCard, normal: NormalisedCard) {
    this.#way = way;
    const { masker, credentials, url } = way;
    this.#interfaces = normal.interfaces.map((each) => speakable(each, found.url));
    this.#judge = PairJudge.open(found.json, found.url, { masker, emit() {} });
    this.document = masker.value({
      id,
      address: url.href,
      cardUrl: found.url,
      json: found.json,
      ...(normal.card && { card: normal.card }),
      dialects: normal.dialects,
      interfaces: normal.interfaces.map(({ url: address, binding, dialect, tenant }, index) => ({
        url: address,
        binding,
        ...(dialect !== undefined && { dialect }),
        ...(tenant !== undefined && { tenant }),
        spoken: this.#interfaces[index] !== undefined,
        trusted: !credentials.any || credentials.mayGoTo(this.#interfaces[index]?.url ?? address),
      })),
      findings: lintCard(found.json),
      oddities: cardOddities(found, url.href),
    });
  }

  /** Sends a request and returns the number of the turn. The log reports what happens to it. */
  async ask({ operation, request, on: index, push }: Asking): Promise<number> {
    const [on, place] = this.#choose(index);
    const method = methodOf(on, operation);
    if (dialectFor(on.binding, on.dialect)?.methodOf(operation) === undefined)
      throw new ApiError(409, `A2A ${on.dialect} has no ${operation}.`, "Choose another interface of the card.");
    if (this.#turns.filter(({ isOver }) => !isOver).length >= mostOpen)
      throw new ApiError(429, `The maximum of ${mostOpen} requests is open.`, "Disconnect one of them first.");
    const turn: Turn = { operation, request, on, hangUp: new AbortController(), answers: [], isOver: false };
    const number = this.#turns.push(turn) - 1;
    const asked = withMessageId(push ? await this.#withWebhook(number, turn) : request);
    const begun = { ...turn, request: asked };
    this.#turns[number] = begun;
    this.log.add(
      this.#masked({
        is: "begun",
        turn: number,
        at: new Date().toISOString(),
        operation,
        method,
        on: place,
        request: asked,
      }),
    );
    void this.#perform(number, begun).catch((error: unknown) => {
      begun.isOver = true;
      const message = error instanceof Error ? error.message : String(error);
      this.log.add(
        this.#masked({ is: "over", turn: number, ms: 0, ending: "broken", trouble: { kind: "failure", message } }),
      );
    });
    return number;
  }

  /** Closes the connection of an open request, like a client that loses its connection. */
  disconnect(number: number): void {
    this.#turnOf(number).hangUp.abort();
  }

  /** Returns the same request in the form of other bindings and versions. */
  wires(number: number): Promise<readonly WireView[]> {
    const { operation, request, on, answers } = this.#turnOf(number);
    const offered = this.#interfaces.filter((each) => each !== undefined);
    return wiresOf({ operation, request, on, answers }, offered, this.#way).then((views) => this.#masked(views));
  }

  /** Returns a recorded exchange, masked. */
  exchange(id: string): Exchange | undefined {
    const kept = this.#way.recording.get(id);
    return kept && this.#way.masker.exchange(kept);
  }

  get exchanges(): readonly Exchange[] {
    return this.#way.recording.exchanges.map((each) => this.#way.masker.exchange(each));
  }

  async close(): Promise<void> {
    for (const { hangUp } of this.#turns) hangUp.abort();
    this.log.end();
    await (await this.#receiver)?.close();
    await this.#way.clients.close();
  }

  #masked<T>(value: T): T {
    return this.#way.masker.value(value);
  }

  #turnOf(number: number): Turn {
    const turn = this.#turns[number];
    if (!turn) throw new ApiError(404, `There is no turn ${number} in this conversation.`);
    return turn;
  }

  #choose(index: number | undefined): readonly [PeerInterface, number] {
    const place = index ?? this.#interfaces.findIndex((each) => each !== undefined);
    const on = this.#interfaces[place];
    if (on) return [on, place];
    throw new ApiError(
      409,
      index === undefined
        ? "The card lists no supported interface."
        : `Interface ${index} of the card is not supported.`,
      "Assay supports 1.0 and 0.3 over JSON-RPC, HTTP+JSON and gRPC, and 0.2 and 0.1 over JSON-RPC.",
    );
  }

  async #perform(number: number, turn: Turn): Promise<void> {
    const { operation, request, on, hangUp } = turn;
    const dialect = dialectFor(on.binding, on.dialect)!;
    const talk = startExchange(randomUUID);
    const line = await openLine(this.#way.clients, on, { headers: this.#way.headers });
    const params = paramsOf(dialect, operation, request, on, talk);
    let trouble: PeerTrouble | undefined;
    let exchange: Exchange;
    if (isStreaming(operation)) {
      const stream = await line.stream(operation, params, hangUp.signal);
      for await (const arrived of stream.events) trouble = this.#arrived(number, turn, arrived, talk) ?? trouble;
      exchange = await stream.finished;
    } else {
      const answer = await line.call(operation, params, hangUp.signal);
      ({ exchange } = answer);
      trouble = this.#arrived(number, turn, { ...answer, at: exchange.timing.end, bytes: 0 }, talk);
    }
    turn.isOver = true;
    await this.#over(number, turn, exchange, trouble);
    const { breaches, unjudged } = (await this.#judge).judge(exchange);
    this.log.add(this.#masked({ is: "judged", turn: number, breaches, ...(unjudged !== undefined && { unjudged }) }));
  }

  /** Logs a response or a frame. Returns the problem if the agent sent no result. */
  #arrived(number: number, turn: Turn, arrived: Arrived, talk: DialectExchange): PeerTrouble | undefined {
    if (arrived.is !== "result") return arrived;
    const { json, at } = arrived;
    const { operation, on } = turn;
    const dialect = dialectFor(on.binding, on.dialect)!;
    const told = { is: "arrived", turn: number, ms: at, json } as const;
    const event: TurnArrival = isStreaming(operation)
      ? { ...told, ...readFrame(dialect.readEvents(json, talk), turn) }
      : { ...told, ...readAnswer(dialect.readAnswer(operation, json, talk), turn) };
    this.log.add(this.#masked(event));
    return undefined;
  }

  async #over(number: number, turn: Turn, exchange: Exchange, trouble: PeerTrouble | undefined): Promise<void> {
    const { failure, timing } = exchange;
    const isOurs = failure?.code === "aborted";
    const words = trouble && !isOurs ? await this.#inWords(trouble, turn, exchange) : undefined;
    this.log.add(
      this.#masked({
        is: "over",
        turn: number,
        ms: timing.end,
        exchange: exchange.id,
        ending: isOurs ? "left" : failure ? "broken" : isStreaming(turn.operation) ? "closed" : "answered",
        ...(words && { trouble: words }),
      }),
    );
  }

  async #inWords(trouble: PeerTrouble, { on, answers }: Turn, exchange: Exchange): Promise<TalkTrouble> {
    const { clients, headers } = this.#way;
    // An earlier response proves that the agent was reached, so a wrong address or login cannot be the cause.
    const found =
      answers.length === 0 &&
      (await contactTrouble(trouble, exchange, {
        peer: createPeer(clients, on, headers),
        chosen: on,
        http: clients.http,
        headers,
      }));
    if (found) {
      const { kind, message, hint } = found;
      return { kind, message, ...(kind !== "login" && kind !== "payment" && { hint }) };
    }
    switch (trouble.is) {
      case "error":
        return { kind: "error", message: trouble.error.message, error: trouble.error };
      case "malformed":
        return { kind: "malformed", message: trouble.because };
      case "invalid":
        return { kind: "malformed", message: "the answer breaks the schema" };
      case "failure": {
        const { code, message, hint } = trouble.failure;
        const todo = code === "refused-by-guard" ? refusedHint : hint;
        return { kind: "failure", message, ...(todo !== undefined && { hint: todo }) };
      }
    }
  }

  /** Adds Assay's webhook to the request; its notifications go to the log. */
  async #withWebhook(number: number, { operation, request, on }: Turn): Promise<JsonObject> {
    this.#receiver ??= startReceiver({ host: "127.0.0.1", port: 0 });
    const webhook = this.#webhooks++;
    const box = (await this.#receiver).mailbox((delivery) => {
      this.#notified(webhook, delivery, on);
      return 200;
    });
    const taskId = operation === "CreateTaskPushNotificationConfig" ? request["taskId"] : undefined;
    this.log.add({
      is: "push-opened",
      webhook,
      url: box.url,
      turn: number,
      ...(typeof taskId === "string" && { taskId }),
    });
    if (operation === "CreateTaskPushNotificationConfig") return { ...request, url: box.url };
    const { configuration } = request;
    return {
      ...request,
      configuration: { ...(configuration as JsonObject), taskPushNotificationConfig: { url: box.url } },
    };
  }

  #notified(webhook: number, delivery: WebhookDelivery, on: PeerInterface): void {
    const { json, event, taskId } = readNotification(delivery, on);
    const violations = on.dialect === "1.0" && json ? validate("StreamResponse", json) : [];
    this.log.add(
      this.#masked({
        is: "push-arrived",
        webhook,
        at: new Date().toISOString(),
        method: delivery.method,
        headers: delivery.headers,
        ...(json ? { json } : { text: Buffer.from(delivery.body).toString("utf8") }),
        ...(event && violations.length === 0 && { event: event as unknown as StreamResponse }),
        ...(taskId !== undefined && { taskId }),
        violations: told(violations),
      }),
    );
  }
}

/** Adds a message id if it is missing: a browser creates ids only over TLS or on this machine. */
function withMessageId(request: JsonObject): JsonObject {
  const { message } = request;
  if (!isObject(message) || "messageId" in message) return request;
  return { ...request, message: { messageId: randomUUID(), ...(message as JsonObject) } };
}

type Read<T> = { readonly value?: T; readonly violations?: readonly Violation[] };

function readFrame(
  { value, violations }: Read<StreamResponse[]>,
  { answers }: Turn,
): Pick<TurnArrival, "events" | "violations"> {
  if (violations || !value) return { violations: told(violations ?? []) };
  answers.push(...(value as unknown as JsonValue[]));
  return { events: value, violations: [] };
}

function readAnswer(
  { value, violations }: Read<unknown>,
  { answers }: Turn,
): Pick<TurnArrival, "answer" | "violations"> {
  if (violations) return { violations: told(violations) };
  answers.push(value as JsonValue);
  return { answer: value as JsonValue, violations: [] };
}

/** Returns only places and messages; the page shows the value in the JSON next to them. */
const told = (violations: readonly Violation[]): TalkViolation[] =>
  violations.slice(0, 50).map(({ path, message }) => ({ path, message }));
