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

/** Where a test bed keeps its tasks, and what has to be kept with them. */
export interface TaskKeeping {
  readonly store: TaskStore;
  /** how many tasks there are in each state */
  tasksByState(): Soon<ReadonlyMap<TaskState, number>>;
  /** Rejects where the store is unreachable or read-only. */
  answers(): Promise<unknown>;
  /** ends tasks that wait too long; absent where the store is looked through for them */
  readonly expiry?: TaskExpiry;
  /** absent where every engine has its own, and no other process has to read them */
  readonly tokens?: PageTokens;
  readonly signingKey?: SharedKey;
  readonly tokenKey?: SharedKey;
  /** where the OAuth server has its logins; absent where it has them to itself */
  readonly logins?: LoginStore;
  readonly cookieKey?: SharedKey;
  /** the webhooks of one agent */
  webhooks(options: PushOptions): PushService;
  readonly deadLetters: DeadLetters;
  /** A task whose skill is over could not be ended: that is made up for when the store is there again. */
  readonly onUnended?: (scope: string, id: string) => void;
  /** The agents are there: tasks that were left behind are ended by the engine of theirs. */
  begin(): Promise<void>;
  /** Nothing more is asked of tasks. */
  close(): Promise<void>;
}

export interface KeepingOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** how long a task may stay open without anything happening to it */
  readonly waitMs: number;
  readonly maxTasks?: number | undefined;
  /** how many tasks of one caller may be open */
  readonly openTasks?: number | undefined;
  readonly letterRoom?: DeadLetterRoom | undefined;
  /** the engine that looks after the tasks of a scope */
  readonly engineOf: (scope: string) => Promise<Engine>;
  /** A task was forgotten, and what hangs on it goes with it. */
  readonly onForget: (scope: string, id: string) => void;
  readonly report: (error: unknown) => void;
  /** Told now and then that the store takes what is written. */
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
