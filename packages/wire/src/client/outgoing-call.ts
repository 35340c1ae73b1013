import type { Exchange, Failure } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { createDraft, type Draft, type DraftEnding, type DraftOptions } from "./draft.ts";
import type { ResponseLimits, Timeouts } from "./limits.ts";

/** Passes items from a callback to a `for await` loop, in order and without loss. */
interface ItemQueue<T> extends AsyncIterable<T> {
  push(item: T): void;
  end(): void;
}

/** `onLeave` is called if the reader leaves its loop before the end. */
function createQueue<T>(onLeave: () => void): ItemQueue<T> {
  const items: T[] = [];
  let ended = false;
  let wake = (): void => {};

  async function* read(): AsyncGenerator<T, void, undefined> {
    try {
      while (true) {
        const item = items.shift();
        if (item !== undefined) yield item;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (!ended) onLeave();
    }
  }

  return {
    push(item) {
      items.push(item);
      wake();
    },
    end() {
      ended = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}

export interface OutgoingCallOptions {
  readonly recording: Recording;
  readonly limits: ResponseLimits;
  readonly timeouts: Timeouts;
  /** A stream was requested, so the time limit of streams applies. */
  readonly isStream: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An HTTP or gRPC call in progress. It ends once: by itself, by a timeout, or when the caller hangs up. It never
 * rejects: the exchange contains the failure.
 */
export abstract class OutgoingCall<Item> {
  readonly finished: Promise<Exchange>;
  /** Items as they arrive. Leaving the loop hangs up. */
  protected readonly arriving: ItemQueue<Item>;
  protected readonly draft: Draft;
  protected isDone = false;
  readonly #recording: Recording;
  readonly #signal: AbortSignal | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  #tellFinished: (exchange: Exchange) => void = () => {};

  constructor({ recording, signal }: OutgoingCallOptions, facts: Omit<DraftOptions, "id" | "bytesPerExchange">) {
    this.#recording = recording;
    this.#signal = signal;
    this.draft = createDraft({ id: recording.issueId(), bytesPerExchange: recording.bytesPerExchange, ...facts });
    this.arriving = createQueue<Item>(() => this.hangUp());
    this.finished = new Promise((resolve) => {
      this.#tellFinished = resolve;
    });
  }

  readonly hangUp = (): void => this.finish(this.whenHungUp);

  /** Sends the request, unless the caller has already hung up. */
  protected begin(start: () => Promise<void>, explain: (error: Error) => Failure): void {
    this.#signal?.addEventListener("abort", this.hangUp, { once: true });
    if (this.#signal?.aborted) this.hangUp();
    else start().catch((error: Error) => this.finish(explain(error)));
  }

  protected readonly finish = (failure?: Failure): void => {
    if (this.isDone) return;
    this.isDone = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal?.removeEventListener("abort", this.hangUp);
    const exchange = this.draft.finish({ ...this.arrived(failure === undefined), ...(failure && { failure }) });
    this.letGo(failure);
    this.arriving.end();
    this.#recording.finish(exchange);
    this.whenReleased(() => this.#tellFinished(exchange));
  };

  /** Ends the call with a failure after `ms`, unless it ends before. */
  protected after(ms: number, failure: Failure): NodeJS.Timeout {
    const timer = setTimeout(() => this.finish(failure), ms);
    this.#timers.add(timer);
    return timer;
  }

  protected abstract readonly whenHungUp: Failure;

  /** The part of the response that has arrived. */
  protected abstract arrived(isWhole: boolean): DraftEnding | undefined;

  /** Releases or closes the connection. */
  protected abstract letGo(failure: Failure | undefined): void;

  /** Calls back when the next call may use the connection. */
  protected whenReleased(told: () => void): void {
    told();
  }
}
