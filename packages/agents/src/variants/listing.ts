import type { ListTasksRequest, Task } from "@assay/protocol";
import { intercept } from "../mutation/operations.ts";

/**
 * Lists all tasks of the agent in another order, without hidden ones. A page token names the last task of its
 * page. Invalid requests get the usual errors.
 */
export const listing = ({
  arrange = (tasks) => tasks,
  lists = () => true,
}: {
  readonly arrange?: (tasks: readonly Task[]) => readonly Task[];
  readonly lists?: (task: Task) => boolean;
}) =>
  intercept(["ListTasks"], async ({ request, proceed, ask }) => {
    const { pageToken = "", pageSize = 50, ...filter } = request;
    if (pageSize < 1 || pageSize > 100) return proceed();
    const found: Task[] = [];
    let next: string | undefined;
    do {
      const wish: ListTasksRequest = { ...filter, pageSize: 100, ...(next && { pageToken: next }) };
      const page = await ask("ListTasks", wish);
      found.push(...page.tasks);
      next = page.nextPageToken;
    } while (next);
    const all = arrange(found);
    const last = all.findIndex(({ id }) => pageToken === `after-${id}`);
    if (pageToken && last < 0) return proceed();
    const rest = all.slice(last + 1).filter(lists);
    const tasks = rest.slice(0, pageSize);
    const nextPageToken = rest.length > pageSize ? `after-${tasks.at(-1)!.id}` : "";
    return { answer: { tasks, nextPageToken, pageSize, totalSize: all.filter(lists).length } };
  });
