import { costOf, type Observation, withNeeds } from "../../define/observation.ts";
import { type HeldUp, Obstacle } from "../../define/obstacle.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { type SentMessage, sentMessage } from "../../observations/sent-message.ts";
import type { LifecycleAnswer, RunEvent } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import { observationKey } from "../plan/grant.ts";
import type { RunContext } from "../run-context.ts";
import { isOverRestart, restartedMeanwhile } from "../target/in-vain.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { Lane } from "../target/lane.ts";
import { WorkTurn } from "../target/work-turn.ts";
import { answerMissed, answerSeen } from "./lifecycle-seen.ts";

type HeldUpListener = (obstacle: HeldUp, target: InterfaceUnderTest, during: Observation<unknown>) => void;

/** Makes each observation once per interface, principal and tenant; later callers get what the first one saw. */
export class Observations {
  readonly #made = new Map<string, Promise<unknown>>();
  /** the epochs from which each was begun to which it was over */
  readonly #epochs = new Map<string, Span>();
  readonly #emit: (event: RunEvent) => void;
  readonly #onHeldUp: HeldUpListener;
  readonly #startedAt: number;

  /**
   * `startedAt` is when the run began, by the clock of the process. `onHeldUp` hears of what the agent did to prevent an
   * observation, also where every caller can do without it.
   */
  constructor(emit: (event: RunEvent) => void, startedAt: number, onHeldUp: HeldUpListener) {
    this.#emit = emit;
    this.#startedAt = startedAt;
    this.#onHeldUp = onHeldUp;
  }

  observe<T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext): Promise<T> {
    const key = keyOf(one, target);
    const known = target.needs?.get(key) ?? this.#made.get(key);
    // Names are unique, so what was made under this name has this type.
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

  /** Has it made anew for the next who asks. */
  forget(one: Observation<unknown>, target: InterfaceUnderTest): void {
    this.#made.delete(keyOf(one, target));
  }

  /** The epochs in which these were made, with all that they rest on; undefined where none of them depends on what the agent keeps. */
  spanOf(all: readonly Observation<unknown>[], target: InterfaceUnderTest): Span | undefined {
    const spans = keepersAmong(all).flatMap((one) => this.#epochs.get(keyOf(one, target)) ?? []);
    if (spans.length === 0) return undefined;
    return { from: Math.min(...spans.map(({ from }) => from)), to: Math.max(...spans.map(({ to }) => to)) };
  }

  /** Has those of them made anew that were begun before this epoch. */
  forgetBefore(epoch: number, all: readonly Observation<unknown>[], target: InterfaceUnderTest): void {
    for (const one of keepersAmong(all))
      if ((this.#epochs.get(keyOf(one, target))?.from ?? epoch) < epoch) this.forget(one, target);
  }

  /**
   * An agent that is restarted forgets its tasks: a fault that an observation meets over a restart, or a task that it misses,
   * is looked for once more, and is no fault where the agent is restarted again.
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
        // That nothing answers is what the first contact is about, however often it is tried.
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

  /** Has the task begun that another observation goes on with; where that was not planned, the message of the other pays. */
  async #begin(
    shared: Observation<unknown>,
    by: Observation<unknown>,
    target: InterfaceUnderTest,
    { budget }: RunContext,
  ): Promise<void> {
    if (!this.#made.has(keyOf(shared, target)))
      budget.pass(observationKey(by, target.on), observationKey(shared, target.on));
    // What stands in the way of it is no obstacle: the other begins a task of its own then.
    await target.observe(shared).catch(() => {});
  }

  /** What the core of the lifecycle came to on an interface, for the outcome of the run. */
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

/** Another task can be had for it without taking the last message from others. */
const isAffordable = ({ budget }: RunContext, one: Observation<unknown>, target: InterfaceUnderTest): boolean =>
  [...withNeeds(one)].reduce((sum, each) => sum + costOf(each, (kind) => target.hasPrompt(kind)), 0) <=
  budget.keptFor(observationKey(one, target.on));

/** The epochs of a run (see `RunContext.epoch`) from one to another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Those, with all that they need, that depend on what the agent keeps: tasks that messages made. */
const keepersAmong = (all: readonly Observation<unknown>[]): Observation<unknown>[] =>
  [...all.reduce((into, one) => withNeeds(one, into), new Set<Observation<unknown>>())].filter((one) =>
    [...withNeeds(one)].some(({ messages }) => messages > 0),
  );

/** Makes sure that the agent answers here. Where it asks for a login, what needs none goes on. */
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

/** An observation does without what is not examined, and not without what the agent is to blame for. */
function unlessUnexamined(error: unknown): void {
  if (!(error instanceof Obstacle) || error.kind.is !== "not-examined") throw error;
}

/** What takes several messages, one after the other, or a long wait: begun late, it would end last. */
const isLong = ({ messages, lasts }: Observation<unknown>): boolean => messages > 1 || lasts === true;
