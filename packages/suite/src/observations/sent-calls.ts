import type { Finding } from "../define/finding.ts";
import { Obstacle } from "../define/obstacle.ts";

/** The calls of an observation that were made; of those that could not be made, why not. */
export type SentCalls<T> = readonly T[] & { readonly unsent?: Obstacle };

/** Makes all of them as far as the budget goes and their tasks are there: one that fails does not take the others with it. */
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

/** Something that others can do without; undefined where it could not be examined. */
export async function ifSent<T>(call: Promise<T>): Promise<T | undefined> {
  return (await sentCalls([call]))[0];
}

/** The same, whatever stands in its way. */
export const ifMade = <T>(made: Promise<T>): Promise<T | undefined> =>
  made.catch((error: unknown) => {
    if (error instanceof Obstacle) return undefined;
    throw error;
  });

/** Waits for every member. */
export async function allOf<T extends object>(members: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const entries = Object.entries(members).map(async ([name, made]) => [name, await made] as const);
  // Each member of the result is what the member of that name came to.
  return Object.fromEntries(await Promise.all(entries)) as { [K in keyof T]: Awaited<T[K]> };
}

/** Judges each; where some were not sent, what was sent can show that a rule is broken, and not that it is kept. */
export function judgedCalls<T>(calls: SentCalls<T>, judge: (call: T) => Finding): readonly Finding[] {
  const findings = calls.map(judge);
  if (calls.unsent && !findings.some(({ is }) => is === "breach")) throw calls.unsent;
  return findings;
}

/** The first that fits; where it was not sent, whoever needs it learns why. */
export function sentCall<T>(calls: SentCalls<T>, fits: (call: T) => boolean): T | undefined {
  const found = calls.find(fits);
  if (!found && calls.unsent) throw calls.unsent;
  return found;
}

const isUnexamined = (reason: unknown): reason is Obstacle =>
  reason instanceof Obstacle && reason.kind.is === "not-examined";
