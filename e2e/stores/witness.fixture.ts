import type { Task, TaskPushNotificationConfig, TaskState } from "@assay/protocol";
import { isTerminal } from "@assay/protocol";

/** The acknowledged data of one task. */
interface Told {
  /** the texts of the chunks of its artifact, in the order of arrival */
  readonly chunks: string[];
  /** the ids of the accepted messages */
  readonly messages: string[];
  /** the ids of the accepted webhooks */
  readonly webhooks: string[];
  state: TaskState | undefined;
}

/** The only accepted reasons of a failed task: its server or its store was gone. */
const reasons = [
  "The server stopped before this task was done",
  "The server is shutting down before this task is done",
  "The store became unavailable before this task was done",
];

/** A task as a later read returns it. */
export interface Found {
  readonly task: Task;
  readonly webhooks: readonly TaskPushNotificationConfig[];
}

/** Records acknowledged data, and reports what is missing later. */
export class Witness {
  readonly #tasks = new Map<string, Told>();

  get tasks(): string[] {
    return [...this.#tasks.keys()];
  }

  get webhooked(): string[] {
    return this.tasks.filter((id) => this.of(id).webhooks.length > 0);
  }

  of(id: string): Told {
    const known = this.#tasks.get(id) ?? { chunks: [], messages: [], webhooks: [], state: undefined };
    this.#tasks.set(id, known);
    return known;
  }

  /** Records an acknowledged status. */
  state(id: string, state: TaskState): void {
    this.of(id).state = state;
  }

  /** Returns the problems of a task as found later; `undefined` means that it was not found. */
  complaints(id: string, found: Found | undefined): string[] {
    if (!found) return [`task ${id} is lost`];
    const { task, webhooks } = found;
    const told = this.of(id);
    const kept = (task.artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text ?? ""));
    const said = (task.history ?? []).flatMap(({ role, messageId }) => (role === "ROLE_USER" ? [messageId] : []));
    const hooks = webhooks.map((config) => config.id!);
    return [
      ...inOrder(`the chunks of ${id}`, told.chunks, kept),
      ...inOrder(`the messages of ${id}`, told.messages, said),
      ...inOrder(`the webhooks of ${id}`, told.webhooks, hooks),
      ...this.#wrongState(told, task),
    ];
  }

  #wrongState({ state }: Told, { id, status }: Task): string[] {
    if (state !== undefined && isTerminal(state))
      return status.state === state ? [] : [`task ${id} was ${state} and is ${status.state}`];
    if (status.state === "TASK_STATE_SUBMITTED" || status.state === "TASK_STATE_WORKING")
      return [`task ${id} seems to be at work for ever`];
    if (status.state !== "TASK_STATE_FAILED") return [];
    const why = status.message?.parts[0]?.text ?? "";
    return reasons.some((reason) => why.includes(reason)) ? [] : [`task ${id} failed and says: ${why}`];
  }
}

/** Returns a problem unless all acknowledged items exist once and in order. Unacknowledged items may exist, too. */
function inOrder(what: string, told: readonly string[], there: readonly string[]): string[] {
  const kept = there.filter((each) => told.includes(each));
  const isSame = kept.length === told.length && kept.every((each, index) => each === told[index]);
  const isOnce = new Set(there).size === there.length;
  return [
    ...(isSame ? [] : [`${what}: told ${JSON.stringify(told)}, kept ${JSON.stringify(there)}`]),
    ...(isOnce ? [] : [`${what}: something is there twice: ${JSON.stringify(there)}`]),
  ];
}
