import type { PromptKind } from "./prompt-kind.ts";
import type { Target } from "./target.ts";

/**
 * Something that Assay does once and many checks judge: a task followed to its end, a stream, a conversation, a
 * provoked error. Assay makes it once per interface and principal, in its own context. If it cannot be made, all
 * checks that need it report the same reason.
 */
export interface Observation<T> {
  /** as in "now: a stream of a task"; unique */
  readonly name: string;
  /** the number of messages it sends; 0 is free */
  readonly messages: number;
  /** further messages to retry with when a task ends too soon, taken from the remaining budget */
  readonly again?: number;
  /** the messages are sent only if no prompt of this kind is known; otherwise the observation is free */
  readonly unless?: PromptKind;
  /** the prompts it needs; of a list one is enough, and the first shows most (see `firstKnown`) */
  readonly prompts?: readonly PromptNeed[];
  /** the priority when the budget does not cover everything: 1 before 9 */
  readonly rank?: number;
  /** shows the same on every interface: as a trigger, it is made on the first of a version and is free on the others */
  readonly once?: true;
  /** sends requests only outside the interface, for example for the card, so it needs no first contact */
  readonly aside?: true;
  /** works on an agent that asks for a login without credentials */
  readonly withoutLogin?: true;
  /**
   * takes long, or is needed by something that does: it starts early, so that the run does not wait for it at the end
   */
  readonly lasts?: true;
  /** other hosts that the agent is asked to fetch from: needs `--rude`, and Assay announces it before the run */
  readonly contacts?: readonly string[];
  /** observations made first, because this one uses them */
  readonly uses?: readonly Observation<unknown>[];
  /** those of `uses` that only need to finish first, even if they fail */
  readonly despite?: readonly Observation<unknown>[];
  /** observations made first if possible; this one works without them */
  readonly after?: readonly Observation<unknown>[];
  /** continues with the task of another observation if that is still working: then it sends no message */
  readonly shares?: Observation<unknown>;
  make(target: Target): Promise<T>;
}

/** A behaviour, or several of which one is enough: the best first. */
export type PromptNeed = PromptKind | readonly PromptKind[];

/** Returns the first of several behaviours that Assay can trigger on this agent. */
export const firstKnown = (target: Pick<Target, "hasPrompt">, ...kinds: readonly PromptKind[]): PromptKind =>
  kinds.find((kind) => target.hasPrompt(kind)) ?? kinds[0]!;

type Declared<T> = Omit<Observation<T>, "name" | "messages"> & Partial<Pick<Observation<T>, "messages">>;

/** Declares an observation; without `messages` it sends none. */
export const observation = <T>(name: string, declared: Declared<T>): Observation<T> => ({
  name,
  messages: 0,
  ...declared,
});

/** Returns the number of messages of an observation, given the known behaviours. */
export const costOf = ({ messages, unless }: Observation<unknown>, isKnown: (kind: PromptKind) => boolean): number =>
  unless !== undefined && isKnown(unless) ? 0 : messages;

/** Returns all observations that one needs or follows, each once, itself last. */
export function withNeeds(
  one: Observation<unknown>,
  into = new Set<Observation<unknown>>(),
): Set<Observation<unknown>> {
  for (const other of [...(one.uses ?? []), ...(one.after ?? [])]) withNeeds(other, into);
  return into.add(one);
}
