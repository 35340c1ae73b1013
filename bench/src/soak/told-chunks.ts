import { isTerminal, type StreamResponse, type Task, type TaskState } from "@assay/protocol";
import type { Breach, BreachKind } from "./findings.ts";

/** Returns the number at the start of each chunk of the skill `chunks`. */
const numbersIn = (parts: readonly { readonly text?: string }[]): number[] =>
  parts.map(({ text = "" }) => Number.parseInt(text, 10));

const chunksOf = (task: Task): number[] => (task.artifacts ?? []).flatMap(({ parts }) => numbersIn(parts));

/**
 * Checks the events that one client receives for a task of the skill `chunks <count>`, over one stream or several in
 * turn. Chunks are numbered from 1, so it detects lost, repeated and late ones.
 */
export class ToldChunks {
  readonly #count: number;
  readonly #missing = new Set<number>();
  readonly #breaches: Breach[] = [];
  /** summaries of the events since the client last joined */
  readonly events: string[] = [];
  #name = "a task";
  #id: string | undefined;
  #last = 0;
  #state: TaskState | undefined;
  #joins = true;

  constructor(count: number) {
    this.#count = count;
  }

  get taskId(): string | undefined {
    return this.#id;
  }

  /** the number of the last chunk */
  get last(): number {
    return this.#last;
  }

  get isOver(): boolean {
    return this.#state !== undefined && isTerminal(this.#state);
  }

  /** Records that the client has left. The next stream has to begin with the current task. */
  leave(): void {
    this.#joins = true;
    this.events.length = 0;
  }

  take({ task, statusUpdate, artifactUpdate }: StreamResponse): void {
    if (this.isOver) this.#breach("disordered", "an event came behind the end of the task");
    if (task) this.#join(task);
    else if (this.#joins) this.#breach("lost", "the stream did not begin with the task");
    if (artifactUpdate) {
      for (const number of numbersIn(artifactUpdate.artifact.parts)) this.#chunk(number);
      this.events.push(String(this.#last));
    }
    if (statusUpdate) {
      this.#state = statusUpdate.status.state;
      this.events.push(this.#state);
    }
  }

  /** Records the end of the stream. All chunks and the final state have to be there. */
  end(): void {
    this.#expectUpTo(this.#count);
    if (this.#state !== "TASK_STATE_COMPLETED")
      this.#breach("lost", `the stream ended when the task was ${this.#state}`);
  }

  /** Checks that the stored task has the same chunks, once and in order, and the final state. */
  compare(task: Task): void {
    const kept = chunksOf(task);
    const isWhole = kept.length === this.#count && kept.every((number, index) => number === index + 1);
    if (!isWhole) this.#breach("different", `the task keeps the chunks ${ranges(kept)} of ${this.#count}`);
    if (task.status.state !== "TASK_STATE_COMPLETED") this.#breach("different", `the task is ${task.status.state}`);
  }

  get breaches(): readonly Breach[] {
    return [
      ...this.#breaches,
      ...[...this.#missing].map((number) => this.#named("lost", `chunk ${number} was not told`)),
    ];
  }

  #join(task: Task): void {
    if (!this.#joins) this.#breach("doubled", "the task came in the middle of a stream");
    this.#joins = false;
    this.#id ??= task.id;
    this.#name = `task ${task.id}`;
    this.#state = task.status.state;
    const there = chunksOf(task);
    if (there.some((number, index) => number !== index + 1))
      this.#breach("different", `the task that opens the stream holds the chunks ${ranges(there)}`);
    if (there.length < this.#last)
      this.#breach(
        "lost",
        `${this.#last} chunks were told, and the task that opens the next stream holds ${there.length}`,
      );
    // The task contains the chunks that the agent sent while the client was away.
    this.#last = Math.max(this.#last, there.length);
  }

  #chunk(number: number): void {
    if (number > this.#last) {
      this.#expectUpTo(number - 1);
      this.#last = number;
    } else if (this.#missing.delete(number)) this.#breach("disordered", `chunk ${number} came behind ${this.#last}`);
    else this.#breach("doubled", `chunk ${number} came again, behind ${this.#last}`);
  }

  #expectUpTo(number: number): void {
    while (this.#last < number) this.#missing.add(++this.#last);
  }

  #breach(kind: BreachKind, what: string): void {
    this.#breaches.push(this.#named(kind, what));
  }

  #named(kind: BreachKind, what: string): Breach {
    return { kind, what: `${this.#name}: ${what}` };
  }
}

/** Checks that all subscribers of a task received the same events, each from the moment it joined. */
export function tellApart(followers: readonly { readonly events: readonly string[] }[]): Breach[] {
  const [longest] = followers.toSorted((a, b) => b.events.length - a.events.length);
  return followers.flatMap(({ events }, index) => {
    const same = longest!.events.slice(longest!.events.length - events.length);
    const at = events.findIndex((event, place) => event !== same[place]);
    if (at < 0) return [];
    return [{ kind: "apart", what: `subscriber ${index} was told ${events[at]} where another was told ${same[at]}` }];
  });
}

/** Formats numbers as ranges: `1-4, 6`. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run[1] + 1 === number) run[1] = number;
    else runs.push([number, number]);
  }
  const shown = runs.slice(0, 8).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${shown.join(", ")}${runs.length > 8 ? ", …" : ""}` || "none";
}
