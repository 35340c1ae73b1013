import { randomBytes } from "node:crypto";
import { A2AError } from "@assay/protocol/core";
import type { TaskCall } from "../definition/call.ts";
import { PageTokens } from "../engine/page-token.ts";
import { StoredPush } from "../push/stored-push.ts";
import { loadOlder } from "../server/dialects.ts";
import { webhookBodyIn } from "../server/serve.ts";
import { openSqlStore, type SqlStore } from "../store/sql/sql-store.ts";
import type { Retention, TaskName } from "../store/sql/upkeep.ts";
import type { KeepingOptions, TaskKeeping } from "./task-keeping.ts";

/** A database for tasks. */
export interface StoreSettings {
  /** `sqlite:<file>` or `postgres://…` */
  readonly address: string;
  readonly retention?: Retention;
  /** how long a silent server is assumed to work on its tasks */
  readonly leaseMs?: number;
}

const defaultLeaseMs = 15_000;
/** Old tasks are deleted once in this many maintenance rounds. */
const roundsPerTidying = 10;

/** Keeps tasks in a database, where they outlive this process and other processes can share them. */
export async function inDatabase(settings: StoreSettings, options: KeepingOptions): Promise<TaskKeeping> {
  const { clock, engineOf, report } = options;
  const { leaseMs = defaultLeaseMs, retention } = settings;
  const store = await openSqlStore(settings.address, clock.now, {
    leaseMs,
    ...(retention ? { retention } : {}),
    ...(options.openTasks === undefined ? {} : { openTasks: options.openTasks }),
    onStop: ({ scope, id }) =>
      void engineOf(scope)
        .then((engine) => engine.stop(scope, id))
        .catch(report),
    onError: report,
  });
  const keeper = new StoreKeeper(store, leaseMs, options);
  const deadLetters = store.deadLetters(options.letterRoom);
  const secret = await store.secret("page tokens", () => randomBytes(32).toString("base64"));
  return {
    store,
    tasksByState: () => store.byState(),
    answers: () => store.answers(),
    tokens: new PageTokens(Buffer.from(secret, "base64")),
    signingKey: (make) => store.secret("signing key of cards", make),
    tokenKey: (make) => store.secret("signing key of tokens", make),
    logins: store.logins,
    cookieKey: (make) => store.secret("key of login cookies", make),
    webhooks: (push) =>
      new StoredPush({
        ...push,
        webhooks: store.webhooks,
        outbox: store.outbox,
        async bodyIn(version) {
          await loadOlder();
          return webhookBodyIn(version);
        },
        onError: report,
      }),
    deadLetters,
    onUnended(scope, id) {
      store.strand({ scope, id });
      keeper.endLater({ scope, id });
    },
    begin: () => keeper.begin(),
    async close() {
      await keeper.close();
      await deadLetters.written();
      await store.outbox.written();
      await store.close();
    },
  };
}

/** Maintains a store in rounds: renews this server's lease and ends tasks that other servers left behind. */
class StoreKeeper {
  readonly #store: SqlStore;
  readonly #pauseMs: number;
  readonly #options: KeepingOptions;
  #timer: NodeJS.Timeout | undefined;
  #renewals: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #rounds = 0;
  /** tasks of this server that could not be ended when their skill was done */
  #unended: TaskName[] = [];
  #isClosed = false;

  constructor(store: SqlStore, leaseMs: number, options: KeepingOptions) {
    this.#store = store;
    this.#pauseMs = leaseMs / 3;
    this.#options = options;
  }

  /** Ends tasks that a crashed server left open, so that none only seems to be working. */
  async begin(): Promise<void> {
    this.#renewals = setInterval(() => void this.#renew(), this.#pauseMs).unref();
    await this.#endAbandoned();
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#renewals);
    clearTimeout(this.#timer);
    await this.#round;
    // If that cannot be written, the lease expires by itself.
    await this.#store.upkeep.retire().catch(this.#options.report);
  }

  endLater(name: TaskName): void {
    this.#unended.push(name);
  }

  /**
   * Runs apart from the rounds, because a slow round must not cost the lease and with it the running tasks.
   */
  async #renew(): Promise<void> {
    await this.#store.upkeep.renew().then(this.#options.onWritten, this.#options.report);
  }

  /** Runs rounds one after the other, with a pause between them. */
  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#look()
        .catch(this.#options.report)
        .finally(() => this.#schedule());
    }, this.#pauseMs).unref();
  }

  async #look(): Promise<void> {
    const { clock, waitMs } = this.#options;
    await this.#endAbandoned();
    const unended = this.#unended;
    this.#unended = [];
    await this.#each(unended, (engine, call, id) =>
      engine.abandon(call, id, "store").catch((error: unknown) => {
        if (!(error instanceof A2AError)) this.#unended.push({ scope: call.scope, id });
        throw error;
      }),
    );
    const idle = await this.#store.upkeep.idle(clock.now() - waitMs);
    await this.#each(idle, (engine, call, id) => engine.expire(call, id));
    this.#rounds++;
    if (this.#rounds % roundsPerTidying === 0) await this.#store.tidy();
  }

  async #endAbandoned(): Promise<void> {
    for (;;) {
      const abandoned = await this.#store.upkeep.abandoned();
      const ended = await this.#each(abandoned, (engine, call, id) => engine.abandon(call, id));
      // If none can be ended, the next round tries again.
      if (ended === 0) return;
    }
  }

  /** Ends each task and returns how many it could end. */
  async #each(
    tasks: readonly TaskName[],
    end: (engine: Awaited<ReturnType<KeepingOptions["engineOf"]>>, call: TaskCall, id: string) => Promise<void>,
  ): Promise<number> {
    const { engineOf, report } = this.#options;
    const endings = tasks.map(async ({ scope, id }) => {
      try {
        await end(await engineOf(scope), { scope, account: "test bed", extensions: [] }, id);
        return true;
      } catch (error) {
        // Another server ended it first and has deleted it since.
        if (!(error instanceof A2AError)) report(error);
        return false;
      }
    });
    return (await Promise.all(endings)).filter(Boolean).length;
  }
}
