import { type Subject, startHook } from "../../fixtures/subject.fixture.ts";
import { until } from "../../fixtures/testbed.fixture.ts";
import { config, onceOf, outcome, type Row, row } from "./row.fixture.ts";

/** Returns the notifications of a task until its end was sent this many times. */
const told = async (agent: Subject, endings = 1) => {
  const { url, posted } = await startHook();
  await agent.task("task-lifecycle hi", { configuration: { taskPushNotificationConfig: { url } } });
  const ends = () => posted.filter(({ body }) => JSON.stringify(body).includes("TASK_STATE_COMPLETED")).length;
  await until(
    async () => ends(),
    (count) => count >= endings,
  );
  return posted;
};

const toHook = async (agent: Subject, id?: string) => {
  const given = await config(agent, id);
  return agent.ask("CreateTaskPushNotificationConfig", given);
};

export const pushRows: readonly Row[] = [
  row(
    "delete-null",
    async (agent) => {
      const { taskId } = await config(agent);
      return agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "none" });
    },
    [{}, null],
  ),
  row(
    "config-named-after-task",
    async (agent) => {
      const given = await config(agent);
      return (await agent.ask("CreateTaskPushNotificationConfig", given))["id"] === given.taskId;
    },
    [false, true],
  ),
  row(
    "one-config-per-task",
    async (agent) => {
      const { taskId, id } = await toHook(agent, "mine");
      return id === taskId;
    },
    [false, true],
  ),
  row("guarded-webhooks", async (agent) => outcome(await toHook(agent, "mine")), ["taskId", -32602]),
  row(
    "delete-once",
    async (agent) => {
      const { taskId } = await config(agent);
      return outcome(await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "none" }));
    },
    [undefined, -32001],
  ),
  row(
    "config-not-found",
    async (agent) => {
      const { taskId } = await config(agent);
      const asked = { taskId, id: "none" };
      return (await agent.ask("GetTaskPushNotificationConfig", asked, { binding: "HTTP+JSON" }))["reason"];
    },
    ["TASK_NOT_FOUND", "PUSH_CONFIG_NOT_FOUND"],
  ),
  row("notifies-the-end", async (agent) => (await told(agent)).length, [4, 1]),
  row("notifies-plain-json", async (agent) => (await told(agent))[0]!.headers["content-type"], [
    "application/a2a+json",
    "application/json",
  ]),
  row("notifies-twice", async (agent) => (await told(agent, agent.isBase ? 1 : 2)).length, [4, 8]),
  row(
    "notifies-late",
    (agent) =>
      onceOf(
        async () => {
          const startedAt = Date.now();
          await told(agent);
          return Date.now() - startedAt < 400;
        },
        agent.isBase ? 100 : 3,
      ),
    [true, false],
  ),
  row(
    "hidden-credentials",
    async (agent) => {
      const given = { ...(await config(agent)), authentication: { scheme: "Bearer", credentials: "x" } };
      return (await agent.ask("CreateTaskPushNotificationConfig", given))["authentication"];
    },
    [{ scheme: "Bearer", credentials: "x" }, { scheme: "Bearer" }],
  ),
  row(
    "shown-credentials",
    async (agent) => {
      const given = {
        ...(await config(agent, "mine")),
        token: "t",
        authentication: { scheme: "Bearer", credentials: "x" },
      };
      await agent.ask("CreateTaskPushNotificationConfig", given);
      const { token, authentication } = await agent.ask("GetTaskPushNotificationConfig", {
        taskId: given.taskId,
        id: "mine",
      });
      return [token, authentication];
    },
    [
      [undefined, { scheme: "Bearer" }],
      ["t", { scheme: "Bearer", credentials: "x" }],
    ],
  ),
  row(
    "paged-configs",
    async (agent) => {
      const { taskId } = await toHook(agent, "one");
      await agent.ask("CreateTaskPushNotificationConfig", { taskId, id: "two", url: "http://127.0.0.1:9/hook" });
      const { configs } = await agent.ask<{ configs: unknown[] }>("ListTaskPushNotificationConfigs", { taskId });
      return configs.length;
    },
    [2, 1],
  ),
  row(
    "forgets-configs",
    async (agent) => {
      const { id: taskId } = await agent.task("task-lifecycle hi");
      return outcome(await agent.ask("ListTaskPushNotificationConfigs", { taskId }));
    },
    ["configs", -32001],
  ),
];
