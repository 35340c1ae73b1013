import type { DialectVersion, TaskPushNotificationConfig } from "@assay/protocol";
import { type Database, sql } from "@assay/storage";
import { digestOf, keyOf } from "./keys.ts";

/** A stored webhook: its configuration, and its client's protocol version if that was before 1.0. */
export interface WebhookRecord {
  readonly config: TaskPushNotificationConfig;
  readonly version: DialectVersion | undefined;
}

interface WebhookRow {
  readonly config: string;
  readonly version: DialectVersion | null;
}

/** Stores the webhooks of tasks in a database. */
export class WebhookRecords {
  readonly #database: Database;
  /** tasks with webhooks when last seen; cached because it is read before every event */
  readonly #watched = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds it at the end, or replaces the one with its id; false at the limit. */
  async put(scope: string, taskId: string, { config, version }: WebhookRecord, most: number): Promise<boolean> {
    const key = keyOf(scope, taskId);
    const configKey = digestOf(config.id ?? "");
    const isKept = await this.#database.transaction(async (tx) => {
      const lock =
        this.#database.kind === "postgres" ? sql`select 1 from assay_tasks where key = ${key} for update` : undefined;
      if (lock) await tx.all(lock);
      const others = await tx.all<{ config_key: string; place: number }>(
        sql`select config_key, place from assay_webhooks where key = ${key}`,
      );
      const before = others.find((each) => each.config_key === configKey);
      if (!before && others.length >= most) return false;
      const place = before?.place ?? Math.max(0, ...others.map((each) => each.place)) + 1;
      await tx.run(
        sql`insert into assay_webhooks (key, config_key, place, config, version)
            values (${key}, ${configKey}, ${place}, ${JSON.stringify(config)}, ${version ?? null})
            on conflict (key, config_key) do update set config = excluded.config, version = excluded.version`,
        sql`update assay_tasks set webhooks = ${others.length + (before ? 0 : 1)} where key = ${key}`,
      );
      return true;
    });
    if (isKept) this.#watched.add(key);
    return isKept;
  }

  /** In order of registration. */
  async of(scope: string, taskId: string): Promise<WebhookRecord[]> {
    const rows = await this.#database.all<WebhookRow>(
      sql`select config, version from assay_webhooks where key = ${keyOf(scope, taskId)} order by place`,
    );
    return rows.map(({ config, version }) => ({ config: JSON.parse(config), version: version ?? undefined }));
  }

  async delete(scope: string, taskId: string, id: string): Promise<void> {
    const key = keyOf(scope, taskId);
    await this.#database.transaction(async (tx) => {
      await tx.run(sql`delete from assay_webhooks where key = ${key} and config_key = ${digestOf(id)}`);
      await tx.run(
        sql`update assay_tasks set webhooks = (select count(*) from assay_webhooks where key = ${key}) where key = ${key}`,
      );
    });
  }

  isWatched(scope: string, taskId: string): boolean {
    return this.#watched.size > 0 && this.#watched.has(keyOf(scope, taskId));
  }

  /** Records the number of webhooks of a task. */
  seen(key: string, webhooks: number): void {
    if (webhooks > 0) this.#watched.add(key);
    else this.#watched.delete(key);
  }

  /** Removes a task that has ended and whose waiting callers were notified. */
  settle(scope: string, taskId: string): void {
    this.#watched.delete(keyOf(scope, taskId));
  }
}
