import { costOf, type Observation, withNeeds } from "../../define/observation.ts";
import { type HeldUp, Obstacle } from "../../define/obstacle.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { type SentMessage, sentMessage } from "../../observations/sent-message.ts";
import type { LifecycleAnswer, RunEvent } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import { observationKey } from "../plan/grant.ts";
import type { RunContext } from "../run-context.ts";
import { isOverRestart, restartedMeanwhile } from "../target/failed-retries.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { Lane } from "../target/lane.ts";
import { WorkTurn } from "../target/work-turn.ts";
import { answerMissed, answerSeen } from "./lifecycle-seen.ts";

type HeldUpListener = (obstacle: HeldUp, target: InterfaceUnderTest, during: Observation<unknown>) => void;

/** Makes each observation once per interface, principal and tenant. Later callers get the same result. */
export class Observations {
  readonly #made = new Map<string, Promise<unknown>>();
  /** the epochs in which each observation started and ended */
  readonly #epochs = new Map<string, Span>();
  readonly #emit: (event: RunEvent) => void;
  readonly #onHeldUp: HeldUpListener;
  readonly #startedAt: number;

  /**
   * `startedAt` is the start of the run, by the process clock. `onHeldUp` receives what the agent did to prevent an
   * observation, even if no caller depends on it.
   */
  constructor(emit: (event: RunEvent) => void, startedAt: number, onHeldUp: HeldUpListener) {
    this.#emit = emit;
    this.#startedAt = startedAt;
    this.#onHeldUp = onHeldUp;
  }

  observe<T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext): Promise<T> {
    const key = keyOf(one, target);
    const known = target.needs?.get(key) ?? this.#made.get(key);
    // Names are unique, so the result of this name has this type.
    if (known) return known as Promise<T>;
    const made = this.#makeSteadily(one, target, context).finally(() =>
      context.budget.release(observationKey(one, target.on)),
    );
    made.catch((error: unknown) => {
      if (error instanceof Obstacle && error.kind.is === "held-up") this.#onHeldUp(error.kind, target, one);
    });
    this.#made.set(key, made);
    return made;
  }

  /** Repeats the observation for the next caller. */
  forget(one: Observation<unknown>, target: InterfaceUnderTest): void {
    this.#made.delete(keyOf(one, target));
  }

  /**
   * Returns the epochs in which these observations and their dependencies were made; undefined if none depends on the
   * agent's state.
   */
  spanOf(all: readonly Observation<unknown>[], target: InterfaceUnderTest): Span | undefined {
    const spans = keepersAmong(all).flatMap((one) => this.#epochs.get(keyOf(one, target)) ?? []);
    if (spans.length === 0) return undefined;
    return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
  }

  /** Repeats those that started before this epoch. */
  forgetBefore(epoch: number, all: readonly Observation<unknown>[], target: InterfaceUnderTest): void {
    for (const one of keepersAmong(all))
      if ((this.#epochs.get(keyOf(one, target))?.from ?? epoch) < epoch) this.forget(one, target);
  }

  /**
   * A restarted agent forgets its tasks. A fault or a missing task after a restart is therefore observed again, and is
   * not a fault if the agent restarts once more.
   */
  async #makeSteadily<T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      const from = context.epoch;
      try {
        return await this.#make(one, target, context);
      } catch (error) {
        const rests = this.spanOf(one.uses ?? [], target)?.from ?? from;
        const isHeldUp = error instanceof Obstacle && error.kind.is === "held-up";
        const isFault = isHeldUp && !context.crashes.isShownBy(error.kind.at);
        const isLost = isOverRestart(error) && isAffordable(context, one, target);
        // The first contact expects failed connections, so it is not repeated.
        const isContact = one === (firstContact as Observation<unknown>);
        if (isContact || !(isFault || isLost) || rests === context.epoch) throw error;
        if (isAgain) throw new Obstacle(restartedMeanwhile);
        this.forgetBefore(context.epoch, one.uses ?? [], target);
      } finally {
        this.#epochs.set(keyOf(one, target), { from, to: context.epoch });
      }
    }
  }

  async #make<T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext): Promise<T> {
    if (one !== (firstContact as Observation<unknown>) && !one.aside) await meet(target, one);
    const needs = new Map<string, Promise<unknown>>();
    for (const need of one.uses ?? []) {
      const made = target.observe(need);
      needs.set(keyOf(need, target), made);
      await made.catch((error: unknown) => {
        if (!(error instanceof Obstacle && one.despite?.includes(need))) throw error;
      });
    }
    for (const other of one.after ?? []) await target.observe(other).catch(unlessUnexamined);
    const named = { what: one.name, interface: interfaceName(target.on) };
    const lane = new Lane();
    const turn = new WorkTurn(context.workload);
    try {
      const isShared = one.shares !== undefined && target.hasPrompt("slow");
      if (isShared) await this.#begin(one.shares!, one, target, context);
      else if (costOf(one, (kind) => target.hasPrompt(kind)) > 0)
        await lane.during("turn", () => turn.take(isLong(one)));
      context.budget.begin(observationKey(one, target.on));
      this.#emit({ event: "observing", ...named });
      const made = one.make(target.forObservation(one, { turn, lane, needs }));
      if (one === (sentMessage as Observation<unknown>) && target.principal === "user")
        this.#tellAnswer(made as Promise<unknown> as Promise<SentMessage>, target);
      return await made;
    } finally {
      turn.end();
      this.#emit(lane.closed(named, this.#startedAt));
    }
  }

  /**
   * Starts the task that another observation continues. If that was not planned, the other observation pays the
   * message.
   */
  async #begin(
    shared: Observation<unknown>,
    by: Observation<unknown>,
    target: InterfaceUnderTest,
    { budget }: RunContext,
  ): Promise<void> {
    if (!this.#made.has(keyOf(shared, target)))
      budget.pass(observationKey(by, target.on), observationKey(shared, target.on));
    // If this fails, the other observation starts its own task.
    await target.observe(shared).catch(() => {});
  }

  /** Reports the result of the core lifecycle on an interface, for the outcome of the run. */
  #tellAnswer(made: Promise<SentMessage>, { on }: InterfaceUnderTest): void {
    const tell = (answer: LifecycleAnswer | undefined): void => {
      if (answer !== undefined) this.#emit({ event: "lifecycle-seen", interface: interfaceName(on), answer });
    };
    made.then(
      (seen) => tell(answerSeen(seen)),
      (error) => tell(answerMissed(error)),
    );
  }
}

/** Returns true if another task fits into the budget without taking the last message from others. */
const isAffordable = ({ budget }: RunContext, one: Observation<unknown>, target: InterfaceUnderTest): boolean =>
  [...withNeeds(one)].reduce((sum, each) => sum + costOf(each, (kind) => target.hasPrompt(kind)), 0) <=
  budget.keptFor(observationKey(one, target.on));

/** A span of epochs (see `RunContext.epoch`). */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns those, with their dependencies, that need state of the agent: tasks created by messages. */
const keepersAmong = (all: readonly Observation<unknown>[]): Observation<unknown>[] =>
  [...all.reduce((into, one) => withNeeds(one, into), new Set<Observation<unknown>>())].filter((one) =>
    [...withNeeds(one)].some(({ messages }) => messages > 0),
  );

/** Makes sure that the agent answers here. If it asks for a login, observations without credentials continue. */
export async function meet(
  target: InterfaceUnderTest,
  { withoutLogin }: { readonly withoutLogin?: true },
): Promise<void> {
  try {
    await target.observe(firstContact);
  } catch (error) {
    const isLogin = error instanceof Obstacle && error.kind.is === "not-examined" && error.kind.reason === "login";
    if (!(withoutLogin && isLogin)) throw error;
  }
}

const keyOf = ({ name }: Observation<unknown>, { on, principal }: InterfaceUnderTest): string =>
  JSON.stringify([name, on.url, on.binding, on.dialect, on.tenant, principal]);

/**
 * Ignores an observation that was not examined, because another one works without it. Rethrows what the agent
 * prevented.
 */
function unlessUnexamined(error: unknown): void {
  if (!(error instanceof Obstacle) || error.kind.is !== "not-examined") throw error;
}

/** Observations with several messages or a long wait start early, or they would end last. */
const isLong = ({ messages, lasts }: Observation<unknown>): boolean => messages > 1 || lasts === true;
