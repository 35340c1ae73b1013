import { randomUUID } from "node:crypto";
import { type ListTasksRequest, type Task, TaskState } from "@a2a-js/sdk";
import { ServerCallContext } from "@a2a-js/sdk/server";
import type { DatabaseKind } from "@assay/storage";
import { type Dialect, sql } from "kysely";
import { openSdkStore, tableName } from "../servers/sdk-database.ts";
import { aMinuteAgo, contextOfCopy, type GrownStore, keyOfCopy, longAgo, names, numbers } from "./grown-store.ts";

/** Opens the JavaScript SDK's SQL store in this database. */
export async function sdkStore(kind: DatabaseKind, dialect: Dialect): Promise<GrownStore> {
  const { store, database } = await openSdkStore(dialect);
  const caller = new ServerCallContext();
  const [id, contextId] = [randomUUID(), randomUUID()];
  const parts = [
    { content: { $case: "text", value: "task-lifecycle hello" }, metadata: undefined, filename: "", mediaType: "" },
  ] as const;
  const task: Task = {
    id,
    contextId,
    status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: new Date().toISOString() },
    artifacts: [
      { artifactId: "result", name: "result", description: "", parts: [...parts], metadata: undefined, extensions: [] },
    ],
    history: [],
    metadata: undefined,
  };
  await store.save(task, caller);
  const everything: ListTasksRequest = {
    tenant: "",
    contextId: "",
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: "",
    statusTimestampAfter: undefined,
  };
  const list = (request: Partial<ListTasksRequest>) => store.list({ ...everything, ...request }, caller);
  const status = TaskState.TASK_STATE_COMPLETED;
  let made = 0;
  let nextPage = "";
  return {
    async grow(size) {
      await sql
        .raw(
          `insert into ${tableName} (tenant, owner, id, context_id, status_last_updated, status_state, status, artifacts, history, metadata, protocol_version)
          select tenant, owner, ${keyOfCopy(kind)}, ${contextOfCopy(kind, "context_id")}, status_last_updated - 1000 - 10 * n, status_state, status,
            artifacts, history, metadata, protocol_version
          from ${tableName}, ${numbers(kind, made + 1, size)} where id = '${id}'`,
        )
        .execute(database);
      await sql.raw("analyze").execute(database);
      made = size;
      const { totalSize, nextPageToken } = await list({});
      if (totalSize < size) throw new Error(`the SDK has ${totalSize} tasks, expected ${size}`);
      nextPage = nextPageToken;
    },
    questions: {
      [names.get]: () => store.load(id, caller),
      [names.first]: () => list({}),
      [names.next]: () => list({ pageToken: nextPage }),
      [names.state]: () => list({ status }),
      [names.context]: () => list({ contextId }),
      [names.contextAndState]: () => list({ contextId, status }),
      [names.contextAndTime]: () => list({ contextId, statusTimestampAfter: longAgo }),
      [names.time]: () => list({ statusTimestampAfter: longAgo }),
      [names.lastMinute]: () => list({ statusTimestampAfter: aMinuteAgo() }),
    },
    close: () => database.destroy(),
  };
}
