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
  /** where notifications are charged until they have left or are given up */
  readonly ledger: Ledger;
  readonly post: Post;
  readonly retries?: RetryPolicy;
  /** what pauses are drawn from: 0 to 1 */
  readonly chance?: () => number;
  /** counts what became of notifications */
  readonly onOutcome?: (outcome: "delivered" | "retried" | "given-up" | "dropped") => void;
  /** is told of what waits, and when it waits no more; none: what waits dies with the process */
  readonly outbox?: PushOutbox;
  /** gets what could not be delivered */
  readonly onUndelivered?: (recipient: Recipient, letter: DeadLetter) => void;
}

export interface PushDelivery {
  post(body: string): void;
  /** Nothing more will come: calls back when the last has left, or is given up. */
  finish(done: () => void): void;
  /** Nothing leaves after this, not even what is under way. With a reason, what is held is undelivered; else it is not wanted any more. */
  close(reason?: DeadLetterReason): void;
}

/** A notification in the queue, and its name in the outbox. */
interface Waiting {
  readonly body: string;
  readonly id: string | undefined;
}

/** A webhook that misses this many notifications in a row, retries included, is not called again. */
const patience = 3;
const maxQueued = 1_000;

/**
 * Tells one webhook, in the order of events and one at a time. Trouble that may pass is tried again with
 * growing pauses; a refusal (4xx, a redirect, a guarded address) is final for that notification.
 */
export function deliveryTo(
  config: TaskPushNotificationConfig,
  {
    clock,
    post,
    ledger,
    retries = defaultRetries,
    chance = Math.random,
    onOutcome,
    outbox,
    onUndelivered,
  }: PushDeliveryOptions,
  { contentType, ...recipient }: Recipient & { readonly contentType: string },
): PushDelivery {
  const { account } = recipient;
  const controller = new AbortController();
  const { signal } = controller;
  const headers = headersFor(config, contentType);
  const queue: Waiting[] = [];
  /** what the queue and the notification under way are charged with */
  let held = 0;
  let underWay: Waiting | undefined;
  let missed = 0;
  let finished: (() => void) | undefined;

  async function work(): Promise<void> {
    for (;;) {
      underWay = queue.shift();
      if (signal.aborted) return;
      if (underWay === undefined) return finished?.();
      if (missed >= patience) {
        drop(underWay, "webhook-given-up");
        continue;
      }
      const trouble = await deliver(underWay.body);
      if (signal.aborted) return;
      release(costOf(underWay.body));
      missed = trouble ? missed + 1 : 0;
      onOutcome?.(trouble ? "given-up" : "delivered");
      settle(underWay, trouble);
    }
  }

  /** What stood in the way in the end; nothing where it was delivered. */
  async function deliver(body: string): Promise<DeliveryTrouble | undefined> {
    const began = clock.now();
    for (let attempt = 1; ; attempt++) {
      const result = await post(config.url, headers, body, signal).catch(unsendable);
      if (signal.aborted || isTaken(result)) return undefined;
      const now = clock.now();
      const pause = pauseAfter({ attempt, result, elapsedMs: now - began, now, chance: chance() }, retries);
      if (pause === undefined) return troubleOf(result, attempt);
      onOutcome?.("retried");
      await clock.sleep(pause, signal).catch(() => {});
    }
  }

  function undelivered(body: string, trouble: DeliveryTrouble): void {
    onUndelivered?.(recipient, deadLetter(config, body, trouble, clock.now()));
  }

  /** It waits no more: delivered, or not to be delivered. */
  function settle({ body, id }: Waiting, trouble: DeliveryTrouble | undefined): void {
    if (trouble) undelivered(body, trouble);
    if (id !== undefined) outbox?.remove(id);
  }

  function waiting(body: string): Waiting {
    if (!outbox) return { body, id: undefined };
    const letter = deadLetter(config, body, { reason: "stopped", attempts: 0 }, clock.now());
    outbox.add(recipient, letter);
    return { body, id: letter.id };
  }

  function release(bytes: number): void {
    held -= bytes;
    ledger.release(account, bytes);
  }

  function drop(dropped: Waiting, reason: DeadLetterReason): void {
    release(costOf(dropped.body));
    onOutcome?.("dropped");
    settle(dropped, { reason, attempts: 0 });
  }

  /** Whether there is room for this one, if need be for the oldest ones' sake: the last says how the task ended. */
  function takes(bytes: number): boolean {
    for (;;) {
      try {
        ledger.charge(account, bytes);
        held += bytes;
        return true;
      } catch (error) {
        if (!(error instanceof BudgetExceeded)) throw error;
        const oldest = queue.shift();
        if (oldest === undefined) return false;
        drop(oldest, "overflow");
      }
    }
  }

  return {
    post(body) {
      if (signal.aborted) return;
      if (!takes(costOf(body))) {
        onOutcome?.("dropped");
        undelivered(body, { reason: "overflow", attempts: 0 });
        return;
      }
      queue.push(waiting(body));
      if (queue.length > maxQueued) drop(queue.shift()!, "overflow");
      if (underWay === undefined) void work();
    },
    finish(done) {
      if (underWay === undefined) done();
      else finished = done;
    },
    close(reason) {
      const left = [...(underWay === undefined ? [] : [underWay]), ...queue];
      queue.length = 0;
      controller.abort();
      release(held);
      for (const each of left) settle(each, reason && { reason, attempts: 0 });
    },
  };
}

const isTaken = (result: PostResult): boolean => "status" in result && result.status >= 200 && result.status < 300;

function troubleOf(result: PostResult, attempts: number): DeliveryTrouble {
  if ("status" in result) return { reason: mayPass(result) ? "failed" : "refused", attempts, status: result.status };
  const reason = result.failure === "refused-by-guard" ? "off-limits" : result.final ? "unsendable" : "failed";
  return { reason, attempts, failure: result.failure };
}

/** A notification is held twice: as text, and as bytes once it is on its way. */
const costOf = (body: string): number => 500 + 2 * Buffer.byteLength(body);

/** What cannot be sent now cannot be sent later either. */
const unsendable = (): PostResult => ({ failure: "unsendable", final: true });

function headersFor({ authentication, token }: TaskPushNotificationConfig, type: string): [string, string][] {
  const headers: [string, string][] = [["Content-Type", type]];
  if (authentication) {
    headers.push(["Authorization", [authentication.scheme, authentication.credentials].filter(Boolean).join(" ")]);
  }
  // No text says any more how the token travels; this name is the one most SDKs use (AMB-16).
  if (token) headers.push(["X-A2A-Notification-Token", token]);
  return headers;
}
