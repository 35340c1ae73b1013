import type { JsonObject, TaskPushNotificationConfig } from "@assay/protocol";
import { type Subject, startHook } from "../../fixtures/subject.fixture.ts";
import { until } from "../../fixtures/testbed.fixture.ts";
import { type Row, row } from "./row.fixture.ts";

const hooked = async (agent: Subject, config: object = {}) => {
  const hook = await startHook();
  const configuration = { taskPushNotificationConfig: { url: hook.url, ...config } as TaskPushNotificationConfig };
  await agent.task("task-lifecycle hi", { configuration });
  return until(
    async () => hook.posted,
    ({ length }) => length >= 4,
  );
};

const configs = async (agent: Subject) => {
  const { id: taskId } = await agent.task("multi-turn hi");
  for (const id of ["one", "two"]) {
    await agent.ask("CreateTaskPushNotificationConfig", { taskId, id, url: "http://127.0.0.1:9/hook" });
  }
  return taskId;
};

export const pushRows: readonly Row[] = [
  row(
    "PUSH-001.takes-it",
    async (agent) => {
      const { id: taskId } = await agent.task("task-lifecycle hi");
      const answer = await agent.ask("CreateTaskPushNotificationConfig", { taskId, url: "http://127.0.0.1:9/" });
      return answer["code"] ?? answer["url"];
    },
    [-32003, "http://127.0.0.1:9/"],
  ),
  row(
    "PUSH-010.first-one",
    async (agent) =>
      (await agent.ask("GetTaskPushNotificationConfig", { taskId: await configs(agent), id: "two" }))["id"],
    ["two", "one"],
  ),
  row(
    "PUSH-016.kept",
    async (agent) => {
      const taskId = await configs(agent);
      const answer = await agent.ask("DeleteTaskPushNotificationConfig", { taskId, id: "one" });
      const left = await agent.ask<{ configs: JsonObject[] }>("ListTaskPushNotificationConfigs", { taskId });
      return [answer, left.configs.map(({ id }) => id)];
    },
    [
      [{}, ["two"]],
      [{}, ["one", "two"]],
    ],
  ),
  row("PUSH-022.bare", async (agent) => (await hooked(agent)).map(({ body }) => Object.keys(body)[0]), [
    ["task", "statusUpdate", "artifactUpdate", "statusUpdate"],
    ["id", "taskId", "taskId", "taskId"],
  ]),
  row(
    "PUSH-024.always-bearer",
    async (agent) => {
      const posted = await hooked(agent, { authentication: { scheme: "Basic", credentials: "dTpw" } });
      return posted[0]!.headers.authorization;
    },
    ["Basic dTpw", "Bearer dTpw"],
    async (agent) => (await hooked(agent, { token: "t" })).map(({ headers }) => headers["x-a2a-notification-token"]),
  ),
  row("PUSH-025.form", async (agent) => (await hooked(agent))[0]!.headers["content-type"], [
    "application/a2a+json",
    "application/x-www-form-urlencoded",
  ]),
];
