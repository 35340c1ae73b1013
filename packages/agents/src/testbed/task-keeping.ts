import type { TaskState } from "@assay/protocol";
import type { Ledger } from "@assay/wire/server";
import type { SharedKey } from "../card/card-signer.ts";
import type { Clock } from "../definition/clock.ts";
import type { Soon } from "../definition/layers.ts";
import type { Engine } from "../engine/engine.ts";
import { TaskExpiry } from "../engine/expiry.ts";
import type { PageTokens } from "../engine/page-token.ts";
import type { LoginStore } from "../identity/oidc/logins.ts";
import { type PushOptions, type PushService, WebhookPush } from "../push/service.ts";
import type { DeadLetterRoom, DeadLetters } from "../store/dead-letter.ts";
import { MemoryStore } from "../store/memory.ts";
import { MemoryDeadLetters } from "../store/memory-dead-letters.ts";
import type { TaskStore } from "../store/store.ts";

/** Stores the tasks of a test bed and the data that belongs to them. */
export interface TaskKeeping {
  readonly store: TaskStore;
  /** number of tasks in each state */
  tasksByState(): Soon<ReadonlyMap<TaskState, number>>;
  /** Rejects if the store is unreachable or read-only. */
  answers(): Promise<unknown>;
  /** ends tasks that wait too long; absent if the store is scanned for them */
  readonly expiry?: TaskExpiry;
  /** absent if every engine has its own and no other process reads them */
  readonly tokens?: PageTokens;
  readonly signingKey?: SharedKey;
  readonly tokenKey?: SharedKey;
  /** stores the logins of the OAuth server; absent if it keeps them in memory */
  readonly logins?: LoginStore;
  readonly cookieKey?: SharedKey;
  /** the webhooks of one agent */
  webhooks(options: PushOptions): PushService;
  readonly deadLetters: DeadLetters;
  /** Records a task that could not be ended after its skill, to end it when the store is available again. */
  readonly onUnended?: (scope: string, id: string) => void;
  /** Starts once the agents exist: the engine of each agent ends tasks that were left behind. */
  begin(): Promise<void>;
  /** Closes the store; no more calls follow. */
  close(): Promise<void>;
}

export interface KeepingOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** how long a task may stay open without activity */
  readonly waitMs: number;
  readonly maxTasks?: number | undefined;
  /** maximum number of open tasks of one caller */
  readonly openTasks?: number | undefined;
  readonly letterRoom?: DeadLetterRoom | undefined;
  /** the engine for the tasks of a scope */
  readonly engineOf: (scope: string) => Promise<Engine>;
  /** Called when a task is deleted, to delete the data that belongs to it. */
  readonly onForget: (scope: string, id: string) => void;
  readonly report: (error: unknown) => void;
  /** Called now and then when the store accepts writes. */
  readonly onWritten: () => void;
}

export function inMemory({
  clock,
  ledger,
  waitMs,
  maxTasks,
  openTasks,
  letterRoom,
  onForget,
}: KeepingOptions): TaskKeeping {
  const expiry = new TaskExpiry(clock, waitMs);
  const store = new MemoryStore(clock.now, {
    ledger,
    onForget,
    ...(maxTasks === undefined ? {} : { tasks: maxTasks }),
    ...(openTasks === undefined ? {} : { openTasks }),
  });
  return {
    store,
    tasksByState: () => store.byState(),
    answers: async () => {},
    expiry,
    webhooks: (options) => new WebhookPush(options),
    deadLetters: new MemoryDeadLetters(ledger, letterRoom),
    begin: async () => {},
    close: async () => {},
  };
}
