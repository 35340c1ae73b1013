import type { Subject } from "../../fixtures/subject.fixture.ts";
import { until } from "../../fixtures/testbed.fixture.ts";
import { isUnfound, newTask, onceOf, type Row, row } from "./row.fixture.ts";

/** Returns true if a new task is not found at first. */
const foundLate = (agent: Subject) =>
  onceOf(async () => isUnfound(await agent.ask("GetTask", { id: await newTask(agent) })));

export const lateStoreRows: readonly Row[] = [
  row("late-tasks-60", foundLate, [false, true], { forgets: true }),
  row("late-tasks-300", foundLate, [false, true], { forgets: true }),
  row(
    "late-configs",
    async (agent) => {
      const { id: taskId } = await agent.task("multi-turn hi");
      const get = (id: string) => agent.ask("GetTaskPushNotificationConfig", { taskId, id });
      const make = (id: string) =>
        agent.ask("CreateTaskPushNotificationConfig", { taskId, id, url: "http://127.0.0.1:9/hook" });
      return onceOf(async () => {
        const id = crypto.randomUUID();
        await make(id);
        const wasUnfound = isUnfound(await get(id));
        await until(
          () => get(id),
          (config) => config["id"] === id,
        );
        await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id });
        const isStillThere = !isUnfound(await get(id));
        await until(() => get(id), isUnfound);
        return wasUnfound && isStillThere;
      }, 5);
    },
    [false, true],
  ),
  row("late-and-purging", foundLate, [false, true], { forgets: true }),
];
