import type { JsonObject } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { Call } from "../../call.ts";
import { asObject, asText, isEnded, looseEvent, taskIn } from "../../reading.ts";
import { isSend } from "../session.ts";

/** What we set in motion and have to put back: tasks that still run, push configurations. */
export class Debts {
  readonly #tasks = new Map<string, Debt>();
  readonly #configs = new Map<string, Debt & { readonly id: string }>();
  readonly #lost: (Owner & { readonly messageId: string })[] = [];
  readonly #running = new Set<Promise<Call>>();
  /** an id of the agent's own, to know what they look like */
  sampleId: string | undefined;

  /** Conversations that are not over yet: what they began is known when they are. */
  awaitEnd(call: Promise<Call>): void {
    this.#running.add(call);
    const over = (): void => void this.#running.delete(call);
    call.then(over, over);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Reads from a conversation what it began or ended. */
  note(call: Call, owner: Owner): void {
    const { operation } = call;
    if (operation === undefined) return;
    const { reply } = call;
    if (isSend(operation) && (reply.is === "failure" || (reply.is === "stream" && reply.events.length === 0))) {
      const messageId = asText(asObject(call.params?.["message"])?.["messageId"]);
      if (messageId !== undefined) this.#lost.push({ ...owner, messageId });
    }
    if (operation === "CreateTaskPushNotificationConfig" && call.reply.is === "result") {
      const json = asObject(call.reply.json);
      const id = asText(json?.["id"]);
      const taskId = asText(json?.["taskId"]) ?? asText(call.params?.["taskId"]);
      if (id !== undefined && taskId !== undefined) this.#configs.set(`${taskId} ${id}`, { ...owner, taskId, id });
    }
    if (operation === "DeleteTaskPushNotificationConfig" && call.reply.is === "result") {
      this.#configs.delete(`${asText(call.params?.["taskId"])} ${asText(call.params?.["id"])}`);
    }
    if (call.reply.is === "stream") {
      for (const frame of call.reply.events) {
        const event = looseEvent(frame);
        if (event?.taskId !== undefined) this.#saw(event.taskId, event.state, owner, isSend(operation));
      }
    } else {
      const task = taskIn(call);
      if (task) this.#saw(task.id, task.state, owner, isSend(operation));
    }
  }

  #saw(taskId: string, state: string | undefined, owner: Owner, ours: boolean): void {
    this.sampleId ??= taskId;
    if (isEnded(state)) this.#tasks.delete(taskId);
    else if (ours || this.#tasks.has(taskId)) this.#tasks.set(taskId, { ...owner, taskId });
  }

  get tasks(): readonly Debt[] {
    return [...this.#tasks.values()];
  }

  /** Messages whose answer never came: the agent may work on them all the same. */
  get lost(): readonly (Owner & { readonly messageId: string })[] {
    return this.#lost;
  }

  get configs(): readonly (Debt & { readonly id: string })[] {
    return [...this.#configs.values()];
  }
}

export interface Owner {
  readonly on: PeerInterface;
  readonly call: (
    operation: "CancelTask" | "DeleteTaskPushNotificationConfig" | "ListTasks",
    params: JsonObject,
  ) => Promise<Call>;
}

interface Debt extends Owner {
  readonly taskId: string;
}
