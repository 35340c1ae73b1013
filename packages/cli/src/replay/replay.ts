import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type JsonValue, jsonIn } from "@assay/protocol";
import { grpcMethodAt } from "@assay/protocol/grpc";
import { type Exchange, type HarEntry, type Masker, type PeerClients, timeLimit, toHarEntry } from "@assay/wire";
import { answersIn } from "./answers.ts";
import { type AnswerDifference, differencesBetween } from "./facts.ts";
import type { RecordedRequest } from "./recorded-requests.ts";
import { RenewedIds } from "./renewed-ids.ts";
import { type RequestAgain, requestAgain } from "./request-again.ts";

/** The result of one replayed request, or the reason why it was not sent. */
export type ReplayedRequest = { readonly recorded: RecordedRequest } & (
  | { readonly is: "same"; readonly now: HarEntry }
  | { readonly is: "different"; readonly now: HarEntry; readonly differences: readonly AnswerDifference[] }
  | { readonly is: "not-sent"; readonly because: string }
);

export interface ReplayTools {
  readonly clients: PeerClients;
  readonly mask: Masker;
  readonly fill: (text: string) => string;
  readonly addressNow: (url: string) => string;
  /** returns the reason why a request must not go to that address, or undefined */
  readonly refusal: (recorded: RecordedRequest, url: string) => string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The maximum extra time for a stream that Assay ended in the recording. The replay ends it after the same number of
 * events.
 */
const patienceMs = 5_000;

/**
 * Sends the selected requests again. A request that depends on another waits as long as it did in the recording. A
 * request without a dependency waits for all that ended before it. New task ids are learnt from the responses.
 */
export async function* replay(
  requests: readonly RecordedRequest[],
  chosen: readonly number[],
  tools: ReplayTools,
): AsyncGenerator<ReplayedRequest, void> {
  const run = new Replay(requests, chosen, tools);
  for (const index of chosen) yield await run.outcomeOf(index);
}

class Replay {
  readonly #requests: readonly RecordedRequest[];
  readonly #chosen: ReadonlySet<number>;
  readonly #tools: ReplayTools;
  readonly #ids = new RenewedIds();
  readonly #outcomes = new Map<number, Promise<ReplayedRequest>>();
  readonly #startedAt = new Map<number, number>();
  readonly #endedAt = new Map<number, number>();
  /** requests that wait for an id from an open stream */
  #waiting: (() => void)[] = [];

  constructor(requests: readonly RecordedRequest[], chosen: readonly number[], tools: ReplayTools) {
    this.#requests = requests;
    this.#chosen = new Set(chosen);
    this.#tools = tools;
    // Every request listens to the signal, so a large number of listeners is not a leak.
    setMaxListeners(0, tools.signal);
    for (const index of chosen)
      this.#outcomes.set(
        index,
        this.#send(index).finally(() => {
          this.#endedAt.set(index, performance.now());
          this.#tellChange();
        }),
      );
  }

  outcomeOf(index: number): Promise<ReplayedRequest> {
    return this.#outcomes.get(index)!;
  }

  async #send(index: number): Promise<ReplayedRequest> {
    const recorded = this.#requests[index]!;
    await this.#turn(index);
    this.#startedAt.set(index, performance.now());
    const { ids, tools } = { ids: this.#ids, tools: this.#tools };
    if (tools.signal.aborted) return { recorded, is: "not-sent", because: "interrupted" };
    const again = requestAgain(recorded, { ids, fill: tools.fill, addressNow: tools.addressNow });
    const refusal = again ? tools.refusal(recorded, again.url) : "the recording does not contain the complete request";
    if (!again || refusal !== undefined) return { recorded, is: "not-sent", because: refusal! };
    const exchange = await this.#exchange(recorded, again).catch((error: unknown) => {
      // A well-behaved client cannot send some requests, because the run wrote them byte by byte.
      if (error instanceof TypeError) return error.message;
      throw error;
    });
    if (typeof exchange === "string") return { recorded, is: "not-sent", because: exchange };
    if (exchange.failure?.code === "refused-by-guard")
      return { recorded, is: "not-sent", because: tools.mask.text(exchange.failure.message) };
    this.#learn(recorded, answersIn(toHarEntry(exchange)));
    const now = toHarEntry(tools.mask.exchange(exchange));
    const differences = differencesBetween(recorded.exchange.entry, now);
    return differences.length ? { recorded, is: "different", now, differences } : { recorded, is: "same", now };
  }

  /** Waits for the requests that this one depends on. Without any, it waits for all that ended before it. */
  async #turn(index: number): Promise<void> {
    const recorded = this.#requests[index]!;
    const rests = recorded.rests.filter((other) => this.#chosen.has(other));
    const isBefore = (other: number): boolean => other < index && this.#requests[other]!.endedAt <= recorded.startedAt;
    const behind = rests.length ? recorded.follows : [...this.#chosen].filter(isBefore);
    await Promise.all(behind.map((other) => this.#outcomes.get(other)));
    for (const other of rests) {
      const { gives, startedAt, endedAt } = this.#requests[other]!;
      const named = [...gives].filter((id) => isNamedIn(recorded, id));
      const isTold = (): boolean =>
        this.#endedAt.has(other) || (endedAt > recorded.startedAt && this.#ids.knowsAll(named));
      while (!isTold() && !this.#tools.signal.aborted)
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const ended = this.#endedAt.get(other);
      // An exchange that was still open in the recording, such as a stream, may be open now. Its start counts.
      const due =
        ended === undefined || endedAt > recorded.startedAt
          ? (this.#startedAt.get(other) ?? 0) + recorded.startedAt - startedAt
          : ended + recorded.startedAt - endedAt;
      const early = due - performance.now();
      if (early > 0) await delay(early, undefined, { signal: this.#tools.signal }).catch(() => {});
    }
  }

  #learn(recorded: RecordedRequest, now: readonly JsonValue[]): void {
    for (const [index, answer] of now.entries()) this.#ids.learn(recorded.answers[index], answer, recorded.gives);
    this.#tellChange();
  }

  #tellChange(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  #exchange(recorded: RecordedRequest, again: RequestAgain): Promise<Exchange> {
    const { entry } = recorded.exchange;
    const wasEnded = entry.response._error?.startsWith("aborted") === true;
    const most = wasEnded ? recorded.answers.length : Number.POSITIVE_INFINITY;
    const limit = wasEnded ? [timeLimit(Math.ceil(entry.time) + patienceMs)] : [];
    const signal = AbortSignal.any([this.#tools.signal, ...limit]);
    let told = 0;
    const hear = (answer: JsonValue | undefined): boolean => {
      this.#ids.learn(recorded.answers[told], answer, recorded.gives);
      this.#tellChange();
      told += 1;
      return told >= most;
    };
    return again.grpc ? this.#callGrpc(again, hear, signal) : this.#callHttp(again, hear, signal);
  }

  async #callHttp(
    { method, url, headers, body }: RequestAgain,
    hear: (answer: JsonValue | undefined) => boolean,
    signal: AbortSignal,
  ): Promise<Exchange> {
    const spec = { method, url, headers, ...(body.length > 0 && { body }) };
    const opened = await this.#tools.clients.http.stream(spec, signal);
    for await (const { data } of opened.events) if (hear(jsonIn(data))) break;
    return opened.finished;
  }

  async #callGrpc(
    { url, headers, body, grpc }: RequestAgain,
    hear: (answer: JsonValue | undefined) => boolean,
    signal: AbortSignal,
  ): Promise<Exchange> {
    const { server, path } = grpc!;
    const method = grpcMethodAt(url);
    const isStream = method?.operation === "SendStreamingMessage" || method?.operation === "SubscribeToTask";
    const call = this.#tools.clients
      .grpc()
      .call(
        { url: server, path, metadata: headers, message: body, ...(isStream && { isStream: true as const }) },
        signal,
      );
    for await (const { bytes } of call.messages) {
      const answer = method && readable(() => method.service.readAnswer(method.operation, bytes));
      if (hear(answer)) break;
    }
    return call.finished;
  }
}

const isNamedIn = ({ exchange, body }: RecordedRequest, id: string): boolean =>
  exchange.entry.request.url.includes(id) || JSON.stringify(body ?? null).includes(id);

/** Ignores an unreadable response; the exchange still records it. */
function readable(read: () => JsonValue): JsonValue | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
