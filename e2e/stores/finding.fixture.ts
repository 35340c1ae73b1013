import { setTimeout as pause } from "node:timers/promises";
import { asked } from "./asking.fixture.ts";
import type { Found, Witness } from "./witness.fixture.ts";

/** Compares the tasks of an agent with those that a witness saw. Returns the differences. */
export async function complaintsOf(agent: string, witness: Witness): Promise<string[]> {
  const complaints: string[] = [];
  for (const id of witness.tasks) complaints.push(...witness.complaints(id, await find(agent, id, witness)));
  return complaints;
}

async function find(agent: string, id: string, witness: Witness): Promise<Found | undefined> {
  const task = await asked(agent, "GetTask", { id }).catch(() => undefined);
  if (!task) return undefined;
  const isWebhooked = witness.webhooked.includes(id);
  const { configs = [] } = isWebhooked ? await asked(agent, "ListTaskPushNotificationConfigs", { taskId: id }) : {};
  return { task, webhooks: configs };
}

/** Returns all tasks of an agent, page by page. */
export async function allListed(agent: string): Promise<string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const page = await asked(agent, "ListTasks", { pageSize: 100, ...(pageToken && { pageToken }) });
    ids.push(...(page.tasks ?? []).map(({ id }) => id));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken);
  return ids;
}

/**
 * Cancels running tasks until none is left. Clients that lost their connection leave tasks behind that may run for an
 * hour. The server ends the tasks that no skill works on.
 */
export async function cancelOpen(agent: string): Promise<void> {
  for (;;) {
    const { tasks } = await asked(agent, "ListTasks", { status: "TASK_STATE_WORKING" });
    if (tasks.length === 0) return;
    // The task may have ended in the meantime.
    await Promise.all(tasks.map(({ id }) => asked(agent, "CancelTask", { id }).catch(() => {})));
  }
}

/** Waits until no task is running. The tasks of a dead server end when its lease expires. */
export async function untilSettled(agent: string): Promise<void> {
  for (;;) {
    const open = await Promise.all(
      (["TASK_STATE_WORKING", "TASK_STATE_SUBMITTED"] as const).map((status) => asked(agent, "ListTasks", { status })),
    );
    if (open.every(({ totalSize }) => totalSize === 0)) return;
    await pause(50);
  }
}
