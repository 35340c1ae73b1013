import { setTimeout as pause } from "node:timers/promises";
import { asked } from "./asking.fixture.ts";
import type { Found, Witness } from "./witness.fixture.ts";

/** What is wrong with the tasks of a witness, as an agent has them now. */
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

/** Every task an agent has, page by page. */
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
 * Cancels what works until nothing does: a client that lost its connection left its task behind, and it may work for an hour.
 * Tasks that no skill works on are left to the server.
 */
export async function cancelOpen(agent: string): Promise<void> {
  for (;;) {
    const { tasks } = await asked(agent, "ListTasks", { status: "TASK_STATE_WORKING" });
    if (tasks.length === 0) return;
    // It may have ended in the meantime.
    await Promise.all(tasks.map(({ id }) => asked(agent, "CancelTask", { id }).catch(() => {})));
  }
}

/** Waits until no task is at work: what a dead server was working on is ended when its lease is over. */
export async function untilSettled(agent: string): Promise<void> {
  for (;;) {
    const open = await Promise.all(
      (["TASK_STATE_WORKING", "TASK_STATE_SUBMITTED"] as const).map((status) => asked(agent, "ListTasks", { status })),
    );
    if (open.every(({ totalSize }) => totalSize === 0)) return;
    await pause(50);
  }
}
