import { Ledger } from "@assay/wire/server";
import { describe, expect, test } from "vitest";
import { settle } from "../definition/fake-clock.fixture.ts";
import { artifact, status } from "../definition/skill.ts";
import { WebhookPush } from "../push/service.ts";
import { collect, engineHarness, forever, here, refusal, testSkill, user } from "./engine.fixture.ts";

const counting = { habits: { generation: true } };

const asking = testSkill(async function* ({ task }) {
  if (!task) return yield status("input-required", "and then?");
  yield status("working");
  yield artifact("word", "a word", { last: true });
  yield status("completed");
});

const generationsIn = (events: readonly object[]): unknown[] =>
  events.map((event) => (Object.values(event)[0] as { generation?: string }).generation);

describe("an agent that counts generations", () => {
  test("starts at 1 and adds 1 for every event, in streams, subscriptions and tasks", async () => {
    const { engine, now } = engineHarness({ ...counting, skills: [asking] });
    const opened = await collect(await engine.stream({ message: user("test") }, here, forever));
    expect(generationsIn(opened)).toEqual(["1", "2"]);
    const { task } = opened[0]!;
    const message = user("on", { taskId: task!.id });
    const continued = await collect(await engine.stream({ message }, here, forever));
    expect(generationsIn(continued)).toEqual(["2", "3", "4", "5"]);
    expect((await now(task!)).generation).toBe("5");
    expect((await engine.list({}, here)).tasks.map(({ generation }) => generation)).toEqual(["5"]);
  });

  test("writes the generation after the change into notifications", async () => {
    const bodies: string[] = [];
    const push = new WebhookPush({
      clock: engineHarness().clock,
      ledger: new Ledger(),
      post: async (_url, _headers, body) => {
        bodies.push(body);
        return { status: 200 };
      },
      refusal: () => undefined,
    });
    const { begin } = engineHarness({ ...counting, skills: [asking], push });
    await begin("test", { taskPushNotificationConfig: { url: "https://client.example/hook" } });
    await settle();
    expect(generationsIn(bodies.map((body) => JSON.parse(body) as object))).toEqual(["1", "2"]);
  });

  test("rejects a message for another generation, and accepts one for the current", async () => {
    const { begin, follow } = engineHarness({ ...counting, skills: [asking] });
    const task = await begin("test", { ifGenerationMatch: "7" });
    expect(task.generation).toBe("2");
    expect(await refusal(follow(task, "on", { ifGenerationMatch: "1" }))).toEqual({
      kind: "TaskGenerationMismatch",
      message: `Task ${task.id} has generation 2, and the message is for generation 1`,
    });
    expect(await refusal(follow(task, "on", { ifGenerationMatch: "two" }))).toMatchObject({ kind: "InvalidParams" });
    expect((await follow(task, "on", { ifGenerationMatch: "2" })).generation).toBe("5");
  });

  test("holds GetTask until the task changes, and returns at once if it has", async () => {
    const { engine, begin, follow } = engineHarness({ ...counting, skills: [asking] });
    const task = await begin("test");
    expect((await engine.get({ id: task.id, currentGeneration: "1" }, here)).generation).toBe("2");
    const held = engine.get({ id: task.id, currentGeneration: "2" }, here);
    await follow(task, "on");
    expect(Number((await held).generation)).toBeGreaterThan(2);
    // Nothing changes an ended task.
    expect((await engine.get({ id: task.id, currentGeneration: "9" }, here)).generation).toBe("5");
  });

  test("holds GetTask for a limited time", async () => {
    const { engine, begin, clock } = engineHarness({ ...counting, skills: [asking] });
    const task = await begin("test");
    const held = engine.get({ id: task.id, currentGeneration: "2" }, here);
    await settle();
    await clock.pass(20_000);
    expect((await held).generation).toBe("2");
  });
});

test("other agents have no generation and ignore what clients send about it", async () => {
  const { engine, begin, follow } = engineHarness({ skills: [asking] });
  const task = await begin("test");
  expect(task).not.toHaveProperty("generation");
  expect(await engine.get({ id: task.id, currentGeneration: "9" }, here)).not.toHaveProperty("generation");
  expect((await follow(task, "on", { ifGenerationMatch: "9" })).status.state).toBe("TASK_STATE_COMPLETED");
});
