import { randomUUID } from "node:crypto";
import type { TaskPushNotificationConfig } from "@assay/protocol";
import type { FailureCode } from "@assay/wire";

/** The reason why a notification did not reach its webhook. */
export type DeadLetterReason =
  /** the webhook rejected it */
  | "refused"
  /** a temporary failure lasted too long */
  | "failed"
  /** the test bed may not call the webhook's address */
  | "off-limits"
  /** it could not be written as a request */
  | "unsendable"
  /** the webhook had missed too many earlier ones and is no longer called */
  | "webhook-given-up"
  /** too many notifications waited for the webhook */
  | "overflow"
  /** the server was stopped or crashed first */
  | "stopped";

/** The last state of a delivery. */
export interface DeliveryTrouble {
  readonly reason: DeadLetterReason;
  readonly attempts: number;
  /** the last status of the webhook */
  readonly status?: number;
  /** why the last attempt had no response */
  readonly failure?: FailureCode | "unsendable";
}

/**
 * An undelivered notification, kept for its caller without the token, credentials and address of its
 * configuration.
 */
export interface DeadLetter extends DeliveryTrouble {
  readonly id: string;
  readonly taskId: string;
  readonly configId: string;
  /** the origin of the webhook; the path may be secret like a token */
  readonly origin: string;
  /** ISO 8601 */
  readonly at: string;
  /** the notification as it would have been sent; absent if it is too long */
  readonly body?: string;
  readonly bodyBytes: number;
}

/** The recipient of notifications: who may read them, and whose account is charged. */
export interface Recipient {
  readonly scope: string;
  readonly account: string;
}

/** Stores undelivered notifications: a limited number per caller, where the oldest make room. */
export interface DeadLetters {
  add(recipient: Recipient, letter: DeadLetter): void;
  /** those of a scope, latest first */
  list(scope: string, taskId?: string): Promise<readonly DeadLetter[]>;
  /** Deletes those of a scope. */
  clear(scope: string): Promise<void>;
}

/**
 * Stores pending notifications as the letters they would become, for the servers that follow a crashed one.
 */
export interface PushOutbox {
  add(recipient: Recipient, letter: DeadLetter): void;
  /** Removes a notification that was delivered or is no longer wanted. */
  remove(id: string): void;
}

/** Limits of undelivered notifications. */
export interface DeadLetterRoom {
  readonly caller: number;
  readonly total: number;
}

/** Room for a hundred callers at their limit. */
export const letterRoomFor = (caller: number): DeadLetterRoom => ({ caller, total: 100 * caller });

export const defaultLetterRoom = letterRoomFor(100);

/** The longest body that is kept. */
const longestBody = 64 * 1024;

let made = 0;

/** Creates a UUID of version 7: ids of one moment are in the order of creation. */
function letterId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  const count = (made++ & 0xfff).toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`;
}

export function deadLetter(
  { id = "", taskId = "", url }: TaskPushNotificationConfig,
  body: string,
  trouble: DeliveryTrouble,
  now: number,
): DeadLetter {
  const bodyBytes = Buffer.byteLength(body);
  return {
    id: letterId(now),
    taskId,
    configId: id,
    origin: URL.canParse(url) ? new URL(url).origin : "",
    at: new Date(now).toISOString(),
    ...trouble,
    ...(bodyBytes > longestBody ? {} : { body }),
    bodyBytes,
  };
}
