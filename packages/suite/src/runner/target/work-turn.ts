import type { Arrived } from "@assay/wire";
import { isAtRest, looseEvent, tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Workload } from "./workload.ts";

/** A task as it was told of somewhere. */
interface ToldTask {
  readonly id: string;
  readonly state: string | undefined;
}

/**
 * The place of one observation among those that make the agent work. It is given back as soon as no message of the
 * observation is unanswered and no task that it began is known to be at work: whatever it waits for then, the agent is
 * free for others. Several messages of an observation share its place, so that none waits for another of its own.
 */
export class WorkTurn {
  readonly #workload: Workload;
  readonly #atWork = new Set<string>();
  #unanswered = 0;
  #place: Promise<() => void> | undefined;

  constructor(workload: Workload) {
    this.#workload = workload;
  }

  /** a task that was begun is known to be at work */
  get isAtWork(): boolean {
    return this.#atWork.size > 0;
  }

  /** Waits for the place, unless it has it; what is urgent goes before all that is not. */
  async take(urgent = false): Promise<void> {
    this.#place ??= this.#workload.enter(urgent);
    await this.#place;
  }

  /** A message is sent. What it returns tells that it was answered, and with which task, if any. */
  async begin(): Promise<(task?: ToldTask) => void> {
    this.#unanswered += 1;
    // An observation that is under way ends sooner than one that has not begun.
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

  /** Takes in what a call tells of the tasks that were begun. */
  note(call: Call): void {
    if (this.#atWork.size === 0) return;
    for (const { id, state } of tasksIn(call)) if (isAtRest(state)) this.#forget(id);
    // One that is not found any more is not worked on either.
    if (call.operation === "GetTask" && call.reply.is === "error") this.#forget(String(call.params?.["id"]));
  }

  /** The same for an event of a stream that is still open. */
  noteEvent(frame: Arrived): void {
    const { taskId, state } = looseEvent(frame) ?? {};
    if (taskId !== undefined && isAtRest(state)) this.#forget(taskId);
  }

  /** The observation is over, whatever the agent still does. */
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
