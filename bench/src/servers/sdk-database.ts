import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import { type Dialect, Kysely } from "kysely";
import { serveSdk } from "./sdk-agent.ts";

export const tableName = "sdk_tasks";

/**
 * Opens the SDK's own SQL store, empty. It creates the same table as the SDK's tool `a2a-db`, which needs a driver that
 * has to be compiled.
 */
export async function openSdkStore(dialect: Dialect) {
  const database = new Kysely<unknown>({ dialect });
  await database.schema.dropTable(tableName).ifExists().execute();
  await database.schema
    .createTable(tableName)
    .addColumn("tenant", "varchar(255)", (column) => column.notNull())
    .addColumn("owner", "varchar(255)", (column) => column.notNull())
    .addColumn("id", "varchar(36)", (column) => column.notNull())
    .addColumn("context_id", "varchar(36)", (column) => column.notNull())
    .addColumn("status_last_updated", "bigint", (column) => column.notNull())
    .addColumn("status_state", "varchar(255)")
    .addColumn("status", "text")
    .addColumn("artifacts", "text")
    .addColumn("history", "text")
    .addColumn("metadata", "text")
    .addColumn("protocol_version", "varchar(255)")
    .addPrimaryKeyConstraint(`${tableName}_pkey`, ["tenant", "owner", "id"])
    .execute();
  const indexed = ["tenant", "owner", "status_last_updated", "id"];
  await database.schema.createIndex(`${tableName}_by_time`).on(tableName).columns(indexed).execute();
  const byContext = ["tenant", "owner", "context_id", "status_last_updated", "id"];
  await database.schema.createIndex(`${tableName}_by_context`).on(tableName).columns(byContext).execute();
  return { database, store: new DatabaseTaskStore(database, { tableName }) };
}

/** Serves the SDK's agent with that store. */
export async function serveSdkOn(dialect: Dialect): Promise<void> {
  serveSdk((await openSdkStore(dialect)).store);
}
