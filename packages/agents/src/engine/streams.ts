import type { StreamResponse, Task } from "@assay/protocol";
import type { TaskLog } from "../store/store.ts";
import type { TaskIds } from "./task-ids.ts";
import { publicEvent } from "./views.ts";

/** A stream: the task as it stands, then what the log says from there on. */
export async function* taskStream(opening: Task, ids: TaskIds, log: TaskLog): AsyncGenerator<StreamResponse> {
  yield { task: opening };
  for await (const batch of log) {
    for (const event of batch) {
      const update = publicEvent(ids, event);
      if (update) yield update;
      // Waiting for the user's words: the client will come back with a new request (§11.7). While it waits
      // for credentials the stream stays open, because they may arrive out of band (§7.6.1).
      if (event.is === "status" && event.status.state === "TASK_STATE_INPUT_REQUIRED") return;
    }
  }
}

export async function* single<T>(value: T): AsyncGenerator<T> {
  yield value;
}
