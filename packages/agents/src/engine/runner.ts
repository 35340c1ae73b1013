import { randomUUID } from "node:crypto";
import { isResting } from "@assay/protocol/core";
import { BudgetExceeded } from "@assay/wire/server";
import type { TaskCall } from "../definition/call.ts";
import type { Skill, SkillEvent, SkillEvents } from "../definition/skill.ts";
import { isAway, SequenceConflict, type TaskEvent, taskKey } from "../store/store.ts";
import type { Cancellation } from "./cancellation.ts";
import { type EventShare, EventTurns } from "./event-turns.ts";
import { type TaskGrowth, TaskTooLarge } from "./growth.ts";
import { shapeOutput } from "./modes.ts";
import type { EngineOptions } from "./options.ts";
import { waitAtMost } from "./patience.ts";
import { shuttingDown } from "./refusals.ts";
import type { TaskIds } from "./task-ids.ts";
import type { TaskRecords } from "./task-records.ts";
import { marksOf, recordOf } from "./views.ts";

/** A skill working on a task. */
export interface SkillRun {
  readonly call: TaskCall;
  readonly ids: TaskIds;
  readonly skill: Skill;
  readonly events: SkillEvents;
  readonly cancellation: Cancellation;
  readonly accepted: readonly string[] | undefined;
  readonly startedAt: number;
  /** position of the log when the skill started */
  readonly seq: number;
  /** tracks the size of the task, if that is limited */
  readonly growth?: TaskGrowth | undefined;
  /** its share of the turns, if it has one already */
  readonly share?: EventShare | undefined;
  readonly first?: IteratorResult<SkillEvent, void> | undefined;
  readonly crash?: unknown;
}

type RunnerOptions = Pick<EngineOptions, "clock" | "turns" | "onSkillError" | "onStoreError" | "onUnended">;

/** A running skill. */
interface ActiveRun {
  /** removed when it is over, because the tables of a Map may outlive their entries (`Queue`) */
  work: SkillRun | undefined;
  readonly cancellation: Cancellation;
  /**
   * settles when the task rests, ended or waiting for the client: with nothing, or with the error that kept
   * the store from recording it
   */
  rested: Promise<unknown>;
}

/** Time for a canceled skill to stop before the engine closes the task itself. */
const cancelGraceMs = 2_000;

/** Writing a whole task costs less than emitting its events: this many events count as one. */
const eventsOfATaskAtOnce = 8;

const atRest = Promise.resolve();

export const storeWasAway = "The store became unavailable before this task was done. Send the message again.";

/** Starts and stops skills. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #records: TaskRecords;
  readonly #turns: EventTurns;
  /** by scope and task, because in 0.1 two callers may use the same id */
  readonly #runs = new Map<string, ActiveRun>();
  /** number of accepted messages whose skill has not started yet */
  #starting = 0;
  #onIdle = (): void => {};
  #isClosing = false;
  /** the reason for ending all running skills, once their time is over */
  #ending: string | undefined;
  #ended = 0;

  constructor(options: RunnerOptions, records: TaskRecords) {
    this.#options = options;
    this.#turns = options.turns ?? new EventTurns();
    this.#records = records;
  }

  /** Stops the skill of a task and waits for it within the grace time. Returns false if none runs here. */
  async stop({ scope }: Pick<TaskCall, "scope">, taskId: string): Promise<boolean> {
    const run = this.#runs.get(taskKey(scope, taskId));
    if (!run) return false;
    run.cancellation.request();
    await this.grace(run.rested);
    return true;
  }

  /** Runs the start of a message, from its first check to the running skill. A closing runner rejects it. */
  async admit<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw shuttingDown();
    this.#starting++;
    try {
      return await begin();
    } finally {
      this.#starting--;
      this.#checkIdle();
    }
  }

  /** Waits for the turn of a skill before it starts. Returns its share of the turns. */
  async turn(): Promise<EventShare> {
    const share = this.#turns.join();
    await share.take();
    return share;
  }

  /** Throws if the time for skills is over: nothing of a message may be stored any more. */
  checkTime(): void {
    if (this.#ending !== undefined) throw shuttingDown();
  }

  /**
   * Accepts no new work and waits for running and starting skills up to this time. The remaining tasks fail
   * with the reason. Returns their number.
   */
  async close(patienceMs: number, why: string): Promise<number> {
    this.#isClosing = true;
    if (patienceMs > 0) await waitAtMost(this.#options.clock, patienceMs, this.#idle(), patienceMs);
    this.#ending = why;
    await Promise.all([...this.#runs.values()].map((run) => this.#cutShort(run, why)));
    await this.grace(this.#idle());
    return this.#ended;
  }

  /** Resolves when no skill is running or starting. */
  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#checkIdle();
    });
  }

  #checkIdle(): void {
    if (this.#starting + this.#runs.size === 0) this.#onIdle();
  }

  async #cutShort({ work, cancellation }: ActiveRun, why: string): Promise<void> {
    if (!work) return;
    this.#ended++;
    await this.#end(work, failure(why, work.ids, this.#options.clock.now()));
    cancellation.request();
  }

  /** Waits for a stopped skill, independent of the time scale. */
  async grace(rested: Promise<unknown>): Promise<void> {
    await waitAtMost(this.#options.clock, cancelGraceMs, rested, cancelGraceMs);
  }

  /** Runs a skill in the background until its task rests, one log event at a time. */
  start(work: SkillRun): ActiveRun {
    const run: ActiveRun = { work, cancellation: work.cancellation, rested: atRest };
    run.rested = this.#play(work, run);
    // Most skills never wait, and are over already.
    if (!run.work) return run;
    const key = taskKey(work.call.scope, work.ids.id);
    this.#runs.set(key, run);
    void run.rested.then(() => {
      if (this.#runs.get(key) === run) this.#runs.delete(key);
      this.#checkIdle();
    });
    if (this.#ending !== undefined) void this.#cutShort(run, this.#ending);
    return run;
  }

  async #play(work: SkillRun, run: ActiveRun): Promise<unknown> {
    const { call, ids, events, cancellation, accepted, startedAt, first, crash } = work;
    const { clock } = this.#options;
    let { seq } = work;
    let said = 0;
    const share = work.share ?? this.#turns.join();
    try {
      if (crash !== undefined) throw crash;
      for (let given = first ?? events.next(); ; given = events.next()) {
        const next = given instanceof Promise ? await given : given;
        if (next.done) break;
        const event = shapeOutput(next.value, accepted);
        if (!event) continue;
        said++;
        const isLast = event.is === "status" && isResting(event.state);
        // The last event returns the whole task to every waiting caller.
        const others = share.take(isLast ? Math.ceil(said / eventsOfATaskAtOnce) : 1);
        if (others) await others;
        const now = clock.now();
        const record = recordOf(event, ids, {
          now,
          newId: randomUUID,
          marks: marksOf(call.extensions, now, startedAt),
        });
        work.growth?.add(record);
        const end = this.#records.recordNext(call, ids, record, seq);
        seq = typeof end === "number" ? end : await end;
        if (isLast) {
          const stopped = events.return();
          if (stopped instanceof Promise) await stopped;
          return undefined;
        }
      }
      await this.#records.record(
        call,
        ids,
        this.#records.status(cancellation.requested ? "TASK_STATE_CANCELED" : "TASK_STATE_COMPLETED"),
      );
      return undefined;
    } catch (error) {
      const trouble = await this.#closeAfter(error, work);
      // If we stopped reading, the skill still holds open resources.
      await stop(events).catch(() => {});
      return trouble;
    } finally {
      run.work = undefined;
    }
  }

  /**
   * Ends the task of a skill that could not finish. Returns the error that keeps it from being ended, if any.
   */
  #closeAfter(error: unknown, work: SkillRun): Promise<unknown> {
    // The task was ended from outside (a cancel that could not wait): there is nothing left to
    // record.
    if (error instanceof SequenceConflict) return Promise.resolve();
    const { ids, cancellation } = work;
    if (cancellation.requested) return this.#end(work, this.#records.status("TASK_STATE_CANCELED"));
    return this.#end(work, failure(this.#reasonFor(error, work), ids, this.#options.clock.now()));
  }

  #reasonFor(error: unknown, { skill }: SkillRun): string {
    if (error instanceof BudgetExceeded || error instanceof TaskTooLarge)
      return `[${skill.id}] No room for more: ${error.message}.`;
    if (isAway(error)) {
      this.#options.onStoreError?.(error);
      return storeWasAway;
    }
    this.#options.onSkillError?.(error, skill.id);
    return `[${skill.id}] The skill failed with an internal error of the agent.`;
  }

  /** Writes the last event of a task unless it has ended meanwhile. Returns the error, if any. */
  async #end({ call, ids }: SkillRun, last: TaskEvent): Promise<unknown> {
    try {
      await this.#records.record(call, ids, last);
      return undefined;
    } catch (trouble) {
      if (trouble instanceof SequenceConflict) return undefined;
      this.#options.onUnended?.(call.scope, ids.id);
      return trouble;
    }
  }
}

/** Lets a skill release its resources. */
async function stop(events: SkillEvents): Promise<void> {
  await events.return();
}

function failure(why: string, ids: TaskIds, now: number): TaskEvent {
  const failed: SkillEvent = { is: "status", state: "TASK_STATE_FAILED", parts: [{ text: why }] };
  return recordOf(failed, ids, { now, newId: randomUUID, marks: {} });
}
