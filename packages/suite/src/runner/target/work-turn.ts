import type { Arrived } from "@assay/wire";
import { isAtRest, looseEvent, tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Workload } from "./workload.ts";

/** A task as the agent described it. */
interface ToldTask {
  readonly id: string;
  readonly state: string | undefined;
}

/**
 * The place of one observation among those that make the agent work. It is freed as soon as no message of the
 * observation is unanswered and none of its tasks is working. Several messages of an observation share its place, so
 * that none waits for another of its own.
 */
export class WorkTurn {
  readonly #workload: Workload;
  readonly #atWork = new Set<string>();
  #unanswered = 0;
  #place: Promise<() => void> | undefined;

  constructor(workload: Workload) {
    this.#workload = workload;
  }

  /** true if one of its tasks is known to be working */
  get isAtWork(): boolean {
    return this.#atWork.size > 0;
  }

  /** Waits for the place unless it has it. Urgent callers go first. */
  async take(urgent = false): Promise<void> {
    this.#place ??= this.#workload.enter(urgent);
    await this.#place;
  }

  /** Notes a sent message. The returned function notes its response, with the task if any. */
  async begin(): Promise<(task?: ToldTask) => void> {
    this.#unanswered += 1;
    // The place is urgent, because an observation in progress ends sooner than a new one.
    await this.take(true);
    let isAnswered = false;
    return (task) => {
      if (isAnswered) return;
      isAnswered = true;
      this.#unanswered -= 1;
      if (task && !isAtRest(task.state)) this.#atWork.add(task.id);
      this.#leaveIfFree();
    };
  }

  /** Reads from a call the state of its tasks. */
  note(call: Call): void {
    if (this.#atWork.size === 0) return;
    for (const { id, state } of tasksIn(call)) if (isAtRest(state)) this.#forget(id);
    // A task that is no longer found is not working either.
    if (call.operation === "GetTask" && call.reply.is === "error") this.#forget(String(call.params?.["id"]));
  }

  /** Reads the state of a task from an event of an open stream. */
  noteEvent(frame: Arrived): void {
    const { taskId, state } = looseEvent(frame) ?? {};
    if (taskId !== undefined && isAtRest(state)) this.#forget(taskId);
  }

  /** The observation has ended, even if the agent still works. */
  end(): void {
    this.#atWork.clear();
    this.#unanswered = 0;
    this.#leaveIfFree();
  }

  #forget(id: string): void {
    if (this.#atWork.delete(id)) this.#leaveIfFree();
  }

  #leaveIfFree(): void {
    if (this.#unanswered > 0 || this.#atWork.size > 0) return;
    void this.#place?.then((leave) => leave());
    this.#place = undefined;
  }
}
