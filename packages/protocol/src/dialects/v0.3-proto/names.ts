import type { ReadingPlace } from "../place.ts";

/** Resource names of `a2a.v1`: a task is `tasks/{id}`, with its push configurations below. 1.0 has plain ids. */
export const taskName = (taskId: string): string => `tasks/${taskId}`;

export const pushConfigName = (taskId: string, id: string): string =>
  `${taskName(taskId)}/pushNotificationConfigs/${id}`;

export function readTaskName(name: string, place: ReadingPlace): string {
  if (name.startsWith("tasks/")) return name.slice("tasks/".length);
  place.note(`${JSON.stringify(name)} is not a resource name ("tasks/…"); read as the id`);
  return name;
}

/** Splits off the configuration id, if any. Ids may contain slashes, so the last separator counts. */
export function splitPushConfigName(name: string): [task: string, id: string | undefined] {
  const [, task = name, id] = /^(.*)\/pushNotificationConfigs\/(.*)$/s.exec(name) ?? [];
  return [task, id];
}

/** JS clients without an id write a name with a trailing slash: the configuration named after its task. */
export function readPushConfigName(name: string, place: ReadingPlace): { taskId: string; id: string } {
  const [task, id] = splitPushConfigName(name);
  const taskId = readTaskName(task, place);
  return { taskId, id: id || taskId };
}
