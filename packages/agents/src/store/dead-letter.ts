import { randomUUID } from "node:crypto";
import type { TaskPushNotificationConfig } from "@assay/protocol";
import type { FailureCode } from "@assay/wire";

/** Why a notification did not reach its webhook. */
export type DeadLetterReason =
  /** the webhook answered that it does not want it */
  | "refused"
  /** trouble that may pass did not pass in time */
  | "failed"
  /** the webhook is where the test bed may not call */
  | "off-limits"
  /** it could not be written as a request */
  | "unsendable"
  /** the webhook had missed so many before that it is not called any more */
  | "webhook-given-up"
  /** more waited for the webhook than is held */
  | "overflow"
  /** the server was stopped, or died, first */
  | "stopped";

/** How far delivery came. */
export interface DeliveryTrouble {
  readonly reason: DeadLetterReason;
  readonly attempts: number;
  /** what the webhook answered last */
  readonly status?: number;
  /** why there was no answer, last time */
  readonly failure?: FailureCode | "unsendable";
}

/** A notification that was not delivered, as it is kept for its caller: without the token, the credentials and the address of its configuration. */
export interface DeadLetter extends DeliveryTrouble {
  readonly id: string;
  readonly taskId: string;
  readonly configId: string;
  /** where the webhook is; the path of an address may be a secret like any token */
  readonly origin: string;
  /** ISO 8601 */
  readonly at: string;
  /** the notification as it would have been sent; absent where it is longer than is kept */
  readonly body?: string;
  readonly bodyBytes: number;
}

/** Whose notifications these are: who may read of them, and on whose account they are kept. */
export interface Recipient {
  readonly scope: string;
  readonly account: string;
}

/** Where notifications are kept that could not be delivered: so many for each caller, the oldest make room. */
export interface DeadLetters {
  add(recipient: Recipient, letter: DeadLetter): void;
  /** those of a scope, the latest first */
  list(scope: string, taskId?: string): Promise<readonly DeadLetter[]>;
  /** Forgets those of a scope. */
  clear(scope: string): Promise<void>;
}

/** What has still to be delivered, for those who come after a server that died: the letter that it would become. */
export interface PushOutbox {
  add(recipient: Recipient, letter: DeadLetter): void;
  /** It was delivered, or is not to be delivered any more. */
  remove(id: string): void;
}

/** How many of them are kept. */
export interface DeadLetterRoom {
  readonly caller: number;
  readonly total: number;
}

/** Room for a hundred callers that have as many as one may have. */
export const letterRoomFor = (caller: number): DeadLetterRoom => ({ caller, total: 100 * caller });

export const defaultLetterRoom = letterRoomFor(100);

/** The longest body that is kept. */
const longestBody = 64 * 1024;

let made = 0;

/** A UUID of version 7: those of one moment are in the order in which they were made. */
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
