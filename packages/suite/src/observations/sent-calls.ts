import type { Finding } from "../define/finding.ts";
import { Obstacle } from "../define/obstacle.ts";

/** The calls that an observation made, and why others could not be made. */
export type SentCalls<T> = readonly T[] & { readonly unsent?: Obstacle };

/** Makes all calls that the budget and the tasks allow. One failure does not stop the others. */
export async function sentCalls<T>(calls: readonly Promise<T>[]): Promise<SentCalls<T>> {
  const settled = await Promise.allSettled(calls);
  const sent: T[] = [];
  let unsent: Obstacle | undefined;
  for (const each of settled) {
    if (each.status === "fulfilled") sent.push(each.value);
    else if (isUnexamined(each.reason)) unsent = each.reason;
    else throw each.reason;
  }
  return Object.assign(sent, unsent && { unsent });
}

/** Returns undefined if an optional call could not be examined. */
export async function ifSent<T>(call: Promise<T>): Promise<T | undefined> {
  return (await sentCalls([call]))[0];
}

/** Returns undefined if an obstacle of any kind prevented the call. */
export const ifMade = <T>(made: Promise<T>): Promise<T | undefined> =>
  made.catch((error: unknown) => {
    if (error instanceof Obstacle) return undefined;
    throw error;
  });

/** Waits for every member. */
export async function allOf<T extends object>(members: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(members).map(async ([name, made]) => [name, await made] as const);
  // Each member of the result has the type of its promise.
  return Object.fromEntries(await Promise.all(entries)) as { [K in keyof T]: Awaited<T[K]> };
}

/** Judges each call. If some were not sent, the others can show that a rule is broken, but not that it holds. */
export function judgedCalls<T>(calls: SentCalls<T>, judge: (call: T) => Finding): readonly Finding[] {
  const findings = calls.map(judge);
  if (calls.unsent && !findings.some(({ is }) => is === "breach")) throw calls.unsent;
  return findings;
}

/** Returns the first match, or throws why it was not sent. */
export function sentCall<T>(calls: SentCalls<T>, fits: (call: T) => boolean): T | undefined {
  const found = calls.find(fits);
  if (!found && calls.unsent) throw calls.unsent;
  return found;
}

const isUnexamined = (reason: unknown): reason is Obstacle =>
  reason instanceof Obstacle && reason.kind.is === "not-examined";
