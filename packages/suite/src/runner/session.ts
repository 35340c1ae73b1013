import { randomUUID } from "node:crypto";
import type { Operation } from "@assay/protocol";
import type { Masker, PeerClients, PeerInterface } from "@assay/wire";
import type { AgentFacts } from "../agent-facts.ts";
import type { Observation } from "../observation.ts";
import { asObject, asText, isEnded, looseEvent, taskIn } from "../reading.ts";
import type { RunEvent } from "../report/events.ts";
import type { Stimuli } from "../stimuli/prompts.ts";
import type { Talk } from "../talk.ts";
import type { WebhookReceiver } from "../webhook/receiver.ts";
import type { Bench } from "./bench.ts";
import type { Budget } from "./budget.ts";
import type { Diary } from "./diary.ts";
import type { TestOptions } from "./options.ts";
import type { Pace, Slots } from "./slots.ts";

/** What all labs of a run share. */
export interface Session {
  readonly options: TestOptions;
  readonly facts: AgentFacts;
  readonly stimuli: Stimuli;
  readonly clients: PeerClients;
  readonly diary: Diary;
  readonly masker: Masker;
  readonly budget: Budget;
  /** calls that make no work, at a time */
  readonly callSlots: Slots;
  /** observations that make the agent work, at a time */
  readonly workSlots: Slots;
  readonly pace: Pace;
  readonly webhook: WebhookReceiver | undefined;
  readonly debts: Debts;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
  /** hears every conversation with the agent */
  readonly onTalk: (talk: Talk) => void;
  /** makes an observation, or hands out what it saw when it was made */
  readonly observe: <T>(one: Observation<T>, lab: Bench) => Promise<T>;
  /** how long the agent took for a working message, the first time */
  readonly onWorked: (ms: number) => void;
}

/** What we set in motion and have to put back: tasks that still run, push configurations. */
export class Debts {
  readonly #tasks = new Map<string, Debt>();
  readonly #configs = new Map<string, Debt & { readonly id: string }>();
  /** an id of the agent's own, to know what they look like */
  sampleId: string | undefined;

  /** Reads from a conversation what it began or ended. */
  note(talk: Talk, owner: Owner): void {
    const { operation } = talk;
    if (operation === undefined) return;
    if (operation === "CreateTaskPushNotificationConfig" && talk.reply.is === "result") {
      const json = asObject(talk.reply.json);
      const id = asText(json?.["id"]);
      const taskId = asText(json?.["taskId"]) ?? asText(talk.params?.["taskId"]);
      if (id !== undefined && taskId !== undefined) this.#configs.set(`${taskId} ${id}`, { ...owner, taskId, id });
    }
    if (operation === "DeleteTaskPushNotificationConfig" && talk.reply.is === "result") {
      this.#configs.delete(`${asText(talk.params?.["taskId"])} ${asText(talk.params?.["id"])}`);
    }
    if (talk.reply.is === "stream") {
      for (const frame of talk.reply.events) {
        const event = looseEvent(frame);
        if (event?.taskId !== undefined) this.#saw(event.taskId, event.state, owner, isSend(operation));
      }
    } else {
      const task = taskIn(talk);
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

  get configs(): readonly (Debt & { readonly id: string })[] {
    return [...this.#configs.values()];
  }
}

export interface Owner {
  readonly on: PeerInterface;
  readonly call: (
    operation: "CancelTask" | "DeleteTaskPushNotificationConfig",
    params: Record<string, string>,
  ) => Promise<unknown>;
}

interface Debt extends Owner {
  readonly taskId: string;
}

export const isSend = (operation: Operation | undefined): boolean =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** An id in the shape of one we have seen: same length, same alphabet; a UUID before we have seen any. */
export function idLike(sample: string | undefined): string {
  if (sample === undefined || sample.length < 12) return randomUUID();
  const pool = randomUUID().replaceAll("-", "") + randomUUID().replaceAll("-", "");
  let used = 0;
  return [...sample]
    .map((character) => {
      const fresh = pool[used++ % pool.length]!;
      if (/\d/.test(character)) return String(Number.parseInt(fresh, 16) % 10);
      if (/[a-f]/.test(character)) return "abcdef"[Number.parseInt(fresh, 16) % 6]!;
      if (/[g-z]/.test(character)) return "ghijklmnopqrstuvwxyz"[Number.parseInt(fresh, 16)]!;
      if (/[A-F]/.test(character)) return "ABCDEF"[Number.parseInt(fresh, 16) % 6]!;
      if (/[G-Z]/.test(character)) return "GHIJKLMNOPQRSTUVWXYZ"[Number.parseInt(fresh, 16)]!;
      return character;
    })
    .join("");
}
