import { isTerminal, type Task, type TaskState } from "@assay/protocol/core";
import type { TaskCall } from "../definition/call.ts";
import type { Soon } from "../definition/layers.ts";
import { nextGeneration } from "../store/apply.ts";
import { SequenceConflict, type TaskEvent, taskKey } from "../store/store.ts";
import type { EngineOptions } from "./options.ts";
import { asRefusal, taskNotFound } from "./refusals.ts";
import { withStatusMessage } from "./status-message.ts";
import { idsOf, type TaskIds } from "./task-ids.ts";
import { timestampOf } from "./timestamp.ts";
import { publicEvent } from "./views.ts";

type RecordsOptions = Pick<EngineOptions, "store" | "push" | "clock" | "expiry" | "habits">;

/** Reads and writes tasks for the engine: by caller, and with notifications of every change. */
export class TaskRecords {
  readonly #options: RecordsOptions;
  readonly #expire: (call: TaskCall, ids: TaskIds) => void;

  /** `expire` ends a task without activity for too long. */
  constructor(options: RecordsOptions, expire: (call: TaskCall, ids: TaskIds) => void) {
    this.#options = options;
    this.#expire = expire;
  }

  /** Stores a new task, or replaces its earlier state. Throws the client's error if there is no room. */
  async open(call: TaskCall, task: Task, before?: Task): Promise<void> {
    const { store } = this.#options;
    const kept = before ? store.replace(call.scope, task, call.account) : store.create(call.scope, task, call.account);
    await kept.catch(asRefusal);
    this.#watch(call, idsOf(task));
  }

  /** Returns the task if the caller may see it. "Not yours" and "not found" get the same error (§3.3.2). */
  async find(id: string, call: TaskCall): Promise<{ task: Task; seq: number }> {
    const found = await this.#options.store.snapshot(call.scope, id);
    if (!found) throw taskNotFound(id);
    return found;
  }

  /**
   * Appends to the end of the log and notifies webhooks. Resolves to the new position.
   */
  async record(call: TaskCall, ids: TaskIds, given: TaskEvent): Promise<number> {
    return this.#append(call, ids, this.#worded(ids, given), undefined);
  }

  /**
   * Records an event of the last writer, which passes its position. Returns no promise if the store never waits: a
   * skill emits many events, and each promise costs as much as the event.
   */
  recordNext(call: TaskCall, ids: TaskIds, given: TaskEvent, seq: number): Soon<number> {
    const { store, push } = this.#options;
    const event = this.#worded(ids, given);
    if (!store.appendNow || push.wants(call, ids.id)) return this.#append(call, ids, event, seq);
    try {
      const end = store.appendNow(call.scope, ids.id, seq, event, call.account);
      this.#note(call, ids, event);
      return end;
    } catch (error) {
      if (!(error instanceof SequenceConflict)) throw error;
      return this.#append(call, ids, event, undefined);
    }
  }

  #worded(ids: TaskIds, event: TaskEvent): TaskEvent {
    const isTold = this.#options.habits?.statesInWords && event.is === "status";
    return isTold ? { ...event, status: withStatusMessage(event.status, ids) } : event;
  }

  async #append(call: TaskCall, ids: TaskIds, event: TaskEvent, seq: number | undefined): Promise<number> {
    const { store, push } = this.#options;
    let end: number | undefined;
    // A notification carries the generation after its event, so the snapshot before it must be exact.
    const isCounted = this.#options.habits?.generation && push.wants(call, ids.id);
    let before: string | undefined;
    for (let attempt = 0, at = seq; end === undefined; attempt++, at = undefined) {
      const found = at === undefined || isCounted ? await store.snapshot(call.scope, ids.id) : undefined;
      before = found?.task.generation;
      try {
        end = await store.append(call.scope, ids.id, at ?? found?.seq ?? 0, [event], call.account);
      } catch (error) {
        const ended = at === undefined && (!found || isTerminal(found.task.status.state));
        if (!(error instanceof SequenceConflict) || ended || attempt === 100) throw error;
      }
    }
    this.#note(call, ids, event);
    if (push.wants(call, ids.id)) {
      const update = publicEvent(ids, event, before === undefined ? undefined : nextGeneration(before));
      const now = update && (await store.snapshot(call.scope, ids.id));
      if (now) push.notify(call, update, now.task);
    }
    return end;
  }

  /** Notes the activity of a task, or its end. */
  #note(call: TaskCall, ids: TaskIds, event: TaskEvent): void {
    if (event.is === "status" && isTerminal(event.status.state))
      this.#options.expiry?.settle(taskKey(call.scope, ids.id));
    else if (event.is !== "artifact") this.#watch(call, ids);
  }

  #watch(call: TaskCall, ids: TaskIds): void {
    this.#options.expiry?.touch(taskKey(call.scope, ids.id), () => this.#expire(call, ids));
  }

  status(state: TaskState): TaskEvent {
    return { is: "status", status: { state, timestamp: timestampOf(this.#options.clock.now()) } };
  }
}
