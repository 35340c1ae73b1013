import type { TaskPushNotificationConfig } from "@assay/protocol";
import { BudgetExceeded, type Ledger } from "@assay/wire/server";
import type { Clock } from "../definition/clock.ts";
import type { Post, PostResult } from "../definition/layers.ts";
import {
  type DeadLetter,
  type DeadLetterReason,
  type DeliveryTrouble,
  deadLetter,
  type PushOutbox,
  type Recipient,
} from "../store/dead-letter.ts";
import { defaultRetries, mayPass, pauseAfter, type RetryPolicy } from "./retries.ts";

export interface PushDeliveryOptions {
  readonly clock: Clock;
  /** charged for notifications until they are delivered or given up */
  readonly ledger: Ledger;
  readonly post: Post;
  readonly retries?: RetryPolicy;
  /** the random source of pauses: 0 to 1 */
  readonly chance?: () => number;
  /** counts the outcomes of notifications */
  readonly onOutcome?: (outcome: "delivered" | "retried" | "given-up" | "dropped") => void;
  /** stores waiting notifications; without it they are lost with the process */
  readonly outbox?: PushOutbox;
  /** receives undelivered notifications */
  readonly onUndelivered?: (recipient: Recipient, letter: DeadLetter) => void;
}

export interface PushDelivery {
  post(body: string): void;
  /** Accepts nothing more; calls back when the last notification is delivered or given up. */
  finish(done: () => void): void;
  /**
   * Stops at once, even the notification being sent. With a reason, the rest counts as undelivered; otherwise
   * it is dropped.
   */
  close(reason?: DeadLetterReason): void;
}

/** A queued notification, and its id in the outbox. */
interface Waiting {
  readonly body: string;
  readonly id: string | undefined;
}

/** A webhook that misses this many notifications in a row, retries included, is not called again. */
const patience = 3;
const maxQueued = 1_000;

/**
 * Notifies one webhook, in the order of events and one at a time. Temporary failures are retried with growing
 * pauses; a rejection (4xx, a redirect, a guarded address) is final for that notification.
 */
export class QueuedDelivery implements PushDelivery {
  readonly #config: TaskPushNotificationConfig;
  readonly #options: PushDeliveryOptions;
  readonly #recipient: Recipient;
  readonly #headers: [string, string][];
  readonly #controller = new AbortController();
  readonly #queue: Waiting[] = [];
  /** memory charged for the queue and the notification being sent */
  #held = 0;
  #underWay: Waiting | undefined;
  #missed = 0;
  #finished: (() => void) | undefined;

  constructor(
    config: TaskPushNotificationConfig,
    options: PushDeliveryOptions,
    { contentType, ...recipient }: Recipient & { readonly contentType: string },
  ) {
    this.#config = config;
    this.#options = options;
    this.#recipient = recipient;
    this.#headers = headersFor(config, contentType);
  }

  post(body: string): void {
    if (this.#controller.signal.aborted) return;
    if (!this.#takes(costOf(body))) {
      this.#options.onOutcome?.("dropped");
      this.#undelivered(body, { reason: "overflow", attempts: 0 });
      return;
    }
    this.#queue.push(this.#waiting(body));
    if (this.#queue.length > maxQueued) this.#drop(this.#queue.shift()!, "overflow");
    if (this.#underWay === undefined) void this.#work();
  }

  finish(done: () => void): void {
    if (this.#underWay === undefined) done();
    else this.#finished = done;
  }

  close(reason?: DeadLetterReason): void {
    const left = [...(this.#underWay === undefined ? [] : [this.#underWay]), ...this.#queue];
    this.#queue.length = 0;
    this.#controller.abort();
    this.#release(this.#held);
    for (const each of left) this.#settle(each, reason && { reason, attempts: 0 });
  }

  async #work(): Promise<void> {
    const { signal } = this.#controller;
    for (;;) {
      const next = this.#queue.shift();
      this.#underWay = next;
      if (signal.aborted) return;
      if (next === undefined) return this.#finished?.();
      if (this.#missed >= patience) {
        this.#drop(next, "webhook-given-up");
        continue;
      }
      const trouble = await this.#deliver(next.body);
      if (signal.aborted) return;
      this.#release(costOf(next.body));
      this.#missed = trouble ? this.#missed + 1 : 0;
      this.#options.onOutcome?.(trouble ? "given-up" : "delivered");
      this.#settle(next, trouble);
    }
  }

  /** Returns the final failure; nothing if it was delivered. */
  async #deliver(body: string): Promise<DeliveryTrouble | undefined> {
    const { clock, post, retries = defaultRetries, chance = Math.random, onOutcome } = this.#options;
    const { signal } = this.#controller;
    const began = clock.now();
    for (let attempt = 1; ; attempt++) {
      const result = await post(this.#config.url, this.#headers, body, signal).catch(unsendable);
      if (signal.aborted || isTaken(result)) return undefined;
      const now = clock.now();
      const pause = pauseAfter({ attempt, result, elapsedMs: now - began, now, chance: chance() }, retries);
      if (pause === undefined) return troubleOf(result, attempt);
      onOutcome?.("retried");
      await clock.sleep(pause, signal).catch(() => {});
    }
  }

  #undelivered(body: string, trouble: DeliveryTrouble): void {
    const { onUndelivered, clock } = this.#options;
    onUndelivered?.(this.#recipient, deadLetter(this.#config, body, trouble, clock.now()));
  }

  /** Removes it from the queue: delivered, or undeliverable. */
  #settle({ body, id }: Waiting, trouble: DeliveryTrouble | undefined): void {
    if (trouble) this.#undelivered(body, trouble);
    if (id !== undefined) this.#options.outbox?.remove(id);
  }

  #waiting(body: string): Waiting {
    const { outbox, clock } = this.#options;
    if (!outbox) return { body, id: undefined };
    const letter = deadLetter(this.#config, body, { reason: "stopped", attempts: 0 }, clock.now());
    outbox.add(this.#recipient, letter);
    return { body, id: letter.id };
  }

  #release(bytes: number): void {
    this.#held -= bytes;
    this.#options.ledger.release(this.#recipient.account, bytes);
  }

  #drop(dropped: Waiting, reason: DeadLetterReason): void {
    this.#release(costOf(dropped.body));
    this.#options.onOutcome?.("dropped");
    this.#settle(dropped, { reason, attempts: 0 });
  }

  /**
   * Returns true if there is room, if necessary by dropping the oldest: the last notification reports the end
   * of the task.
   */
  #takes(bytes: number): boolean {
    for (;;) {
      try {
        this.#options.ledger.charge(this.#recipient.account, bytes);
        this.#held += bytes;
        return true;
      } catch (error) {
        if (!(error instanceof BudgetExceeded)) throw error;
        const oldest = this.#queue.shift();
        if (oldest === undefined) return false;
        this.#drop(oldest, "overflow");
      }
    }
  }
}

const isTaken = (result: PostResult): boolean => "status" in result && result.status >= 200 && result.status < 300;

function troubleOf(result: PostResult, attempts: number): DeliveryTrouble {
  if ("status" in result) return { reason: mayPass(result) ? "failed" : "refused", attempts, status: result.status };
  const reason = result.failure === "refused-by-guard" ? "off-limits" : result.final ? "unsendable" : "failed";
  return { reason, attempts, failure: result.failure };
}

/** A notification is held twice: as text, and as bytes while it is sent. */
const costOf = (body: string): number => 500 + 2 * Buffer.byteLength(body);

/** A request that cannot be sent now cannot be sent later either. */
const unsendable = (): PostResult => ({ failure: "unsendable", final: true });

function headersFor({ authentication, token }: TaskPushNotificationConfig, type: string): [string, string][] {
  const headers: [string, string][] = [["Content-Type", type]];
  if (authentication) {
    headers.push(["Authorization", [authentication.scheme, authentication.credentials].filter(Boolean).join(" ")]);
  }
  // The specification no longer names the header of the token; most SDKs use this one (AMB-16).
  if (token) headers.push(["X-A2A-Notification-Token", token]);
  return headers;
}
