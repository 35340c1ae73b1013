import type { PromptKind } from "./prompt-kind.ts";
import type { Target } from "./target.ts";

/**
 * Something to be seen once and judged by many: a task followed to its end, a stream, a conversation, an error
 * provoked. It is made once per interface and principal, in a context of its own; if it cannot be made, all checks
 * that need it report the same reason.
 */
export interface Observation<T> {
  /** as in "now: a stream of a task"; unique */
  readonly name: string;
  /** messages that it takes; 0 for what is free */
  readonly messages: number;
  /** more messages for trying again where a task is over too soon; they come from what is left of the announced number */
  readonly again?: number;
  /** they are for agents on which nothing is known to bring this about: on the others it is free */
  readonly unless?: PromptKind;
  /** what must be known to bring it about; of a list one, of which the first shows most (see `firstKnown`) */
  readonly prompts?: readonly PromptNeed[];
  /** which come first when not all may be made: 1 before 9 */
  readonly rank?: number;
  /** shows on any interface what it shows: as an occasion, it is made on the first of a version and costs the others nothing */
  readonly once?: true;
  /** asks for something beside the interface, such as the card, and so needs no first contact there */
  readonly aside?: true;
  /** can be made on an agent that asks for a login that was not given */
  readonly withoutLogin?: true;
  /** takes long, or what takes long rests on it: it is begun before others, so that the run does not wait for it at its end */
  readonly lasts?: true;
  /** addresses of others that the agent is told to fetch: made with `--rude` alone, and announced before the run */
  readonly contacts?: readonly string[];
  /** made before it, so that it can use them */
  readonly uses?: readonly Observation<unknown>[];
  /** those of `uses` that it only waits for: it is made also where they cannot be */
  readonly despite?: readonly Observation<unknown>[];
  /** made before it, as far as they can be: it does without those that are not examined */
  readonly after?: readonly Observation<unknown>[];
  /** goes on with the task of another, where slow ones can be had and it is still at work: then it takes no message */
  readonly shares?: Observation<unknown>;
  make(target: Target): Promise<T>;
}

/** A behaviour, or several of which one will do: the best first. */
export type PromptNeed = PromptKind | readonly PromptKind[];

/** The first of several behaviours that can be brought about on this agent. */
export const firstKnown = (target: Pick<Target, "hasPrompt">, ...kinds: readonly PromptKind[]): PromptKind =>
  kinds.find((kind) => target.hasPrompt(kind)) ?? kinds[0]!;

export const observation = <T>(declared: Observation<T>): Observation<T> => declared;

/** What an observation costs on an agent of which these behaviours are known. */
export const costOf = ({ messages, unless }: Observation<unknown>, isKnown: (kind: PromptKind) => boolean): number =>
  unless !== undefined && isKnown(unless) ? 0 : messages;

/** All observations that one needs or is made after, itself last, each once. */
export function withNeeds(
  one: Observation<unknown>,
  into = new Set<Observation<unknown>>(),
): Set<Observation<unknown>> {
  for (const other of [...(one.uses ?? []), ...(one.after ?? [])]) withNeeds(other, into);
  return into.add(one);
}
