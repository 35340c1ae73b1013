import type { ReadingPlace } from "../place.ts";

/** Resource names of `a2a.v1`: a task is `tasks/{id}`, its push configurations lie below. 1.0 has plain ids. */
export const taskName = (taskId: string): string => `tasks/${taskId}`;

export const pushConfigName = (taskId: string, id: string): string =>
  `${taskName(taskId)}/pushNotificationConfigs/${id}`;

export function readTaskName(name: string, place: ReadingPlace): string {
  if (name.startsWith("tasks/")) return name.slice("tasks/".length);
  place.note(`${JSON.stringify(name)} is no resource name, "tasks/…"; taken for the id itself`);
  return name;
}

/** The task's name, and the configuration's id if there is one. Ids may hold slashes, so the last separator counts. */
export function splitPushConfigName(name: string): [task: string, id: string | undefined] {
  const [, task = name, id] = /^(.*)\/pushNotificationConfigs\/(.*)$/s.exec(name) ?? [];
  return [task, id];
}

/** JS clients without an id write a name that ends in a slash: the configuration called after its task. */
export function readPushConfigName(name: string, place: ReadingPlace): { taskId: string; id: string } {
  const [task, id] = splitPushConfigName(name);
  const taskId = readTaskName(task, place);
  return { taskId, id: id || taskId };
}
