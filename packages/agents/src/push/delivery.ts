import type { TaskPushNotificationConfig } from "@assay/protocol";
import { BudgetExceeded, type Ledger } from "@assay/wire/server";
import type { Clock } from "../clock.ts";

/** What came back from a webhook: its status, or why there is none. */
export type PostResult = { readonly status: number } | { readonly failure: string; readonly final?: boolean };

export interface PushDeliveryOptions {
  readonly clock: Clock;
  /** where notifications are charged until they have left or are given up */
  readonly ledger: Ledger;
  readonly post: (
    url: string,
    headers: readonly (readonly [string, string])[],
    body: string,
    signal: AbortSignal,
  ) => Promise<PostResult>;
  /** counts what became of notifications */
  readonly onOutcome?: (outcome: "delivered" | "retried" | "given-up" | "dropped") => void;
}

export interface PushDelivery {
  post(body: string): void;
  /** Nothing leaves after this, not even what is under way. */
  close(): void;
}

const backOffMs = [250, 1_000, 4_000, 10_000];
/** A webhook that misses this many notifications in a row, retries included, is not called again. */
const patience = 3;
const maxQueued = 1_000;

/**
 * Tells one webhook, in the order of events and one at a time. Trouble that may pass is tried again with
 * growing pauses; a refusal (4xx, a redirect, a guarded address) is final for that notification.
 */
export function deliveryTo(
  config: TaskPushNotificationConfig,
  { clock, post, ledger, onOutcome }: PushDeliveryOptions,
  { contentType, account }: { readonly contentType: string; readonly account: string },
): PushDelivery {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = headersFor(config, contentType);
  const queue: string[] = [];
  /** what the queue and the notification under way are charged with */
  let held = 0;
  let busy = false;
  let missed = 0;

  async function work(): Promise<void> {
    busy = true;
    for (let body = queue.shift(); body !== undefined && !signal.aborted; body = queue.shift()) {
      if (missed >= patience) {
        drop(body);
        continue;
      }
      const delivered = await deliver(body);
      if (signal.aborted) return;
      release(costOf(body));
      missed = delivered ? 0 : missed + 1;
      onOutcome?.(delivered ? "delivered" : "given-up");
    }
    busy = false;
  }

  async function deliver(body: string): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const result = await post(config.url, headers, body, signal).catch(unsendable);
      if (signal.aborted) return false;
      if ("status" in result && result.status >= 200 && result.status < 300) return true;
      const pause = backOffMs[attempt];
      if (pause === undefined || !mayPass(result)) return false;
      onOutcome?.("retried");
      await clock.sleep(pause, signal).catch(() => {});
    }
  }

  function release(bytes: number): void {
    held -= bytes;
    ledger.release(account, bytes);
  }

  function drop(body: string): void {
    release(costOf(body));
    onOutcome?.("dropped");
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
        drop(oldest);
      }
    }
  }

  return {
    post(body) {
      if (signal.aborted) return;
      if (!takes(costOf(body))) {
        onOutcome?.("dropped");
        return;
      }
      queue.push(body);
      if (queue.length > maxQueued) drop(queue.shift()!);
      if (!busy) void work();
    },
    close() {
      queue.length = 0;
      controller.abort();
      release(held);
    },
  };
}

/** A notification is held twice: as text, and as bytes once it is on its way. */
const costOf = (body: string): number => 500 + 2 * Buffer.byteLength(body);

/** What cannot be sent now cannot be sent later either. */
const unsendable = (error: unknown): PostResult => ({ failure: String(error), final: true });

const mayPass = (result: PostResult): boolean =>
  "status" in result
    ? result.status >= 500 || result.status === 408 || result.status === 425 || result.status === 429
    : !result.final;

function headersFor({ authentication, token }: TaskPushNotificationConfig, type: string): [string, string][] {
  const headers: [string, string][] = [["Content-Type", type]];
  if (authentication) {
    headers.push(["Authorization", [authentication.scheme, authentication.credentials].filter(Boolean).join(" ")]);
  }
  // No text says any more how the token travels; this name is the one most SDKs use (AMB-16).
  if (token) headers.push(["X-A2A-Notification-Token", token]);
  return headers;
}
