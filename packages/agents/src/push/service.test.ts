import { setTimeout as wait } from "node:timers/promises";
import type { StreamResponse, Task } from "@assay/protocol";
import { BudgetExceeded, Ledger } from "@assay/wire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../definition/clock.ts";
import { elsewhere, engineHarness, here, refusal, user } from "../engine/engine.fixture.ts";
import { hang, outboundWith, type Receiver, receiver, say } from "./receiver.fixture.ts";
import { noPush, type PushService, WebhookPush } from "./service.ts";

const task: Task = { id: "t", status: { state: "TASK_STATE_WORKING" } };

/**
 * The push service of the test bed, a hundred times as fast; calls to this machine are allowed by default.
 */
function pushService(options?: Parameters<typeof outboundWith>[0], ledger = new Ledger()): WebhookPush {
  const { post, webhookRefusal } = outboundWith(options);
  const push = new WebhookPush({ clock: systemClock(0.01), ledger, post, refusal: webhookRefusal });
  onTestFinished(() => push.close());
  return push;
}

const url = "https://example.com/hook";
const refused = (act: () => unknown) => refusal((async () => act())());
const heardBy = ({ heard }: Receiver): StreamResponse[] => heard.map(({ body }) => JSON.parse(body) as StreamResponse);

describe("a configuration", () => {
  test("keeps the id it was given, gets one where it has none, and belongs to its task", () => {
    const push = pushService();
    const given = push.register(here, "t", { url, id: "mine", taskId: "somebody else's", token: "x" });
    expect(given).toEqual({ url, id: "mine", taskId: "t", token: "x" });
    const made = push.register(here, "t", { url, id: "" });
    expect(made).toEqual({ url, id: expect.stringMatching(/^[0-9a-f-]{36}$/), taskId: "t" });
    expect([push.get(here, "t", "mine"), push.get(here, "t", made.id!)]).toEqual([given, made]);
    expect(push.list(here, { taskId: "t" })).toEqual({ configs: [given, made], nextPageToken: "" });
  });

  test("with an id that is taken replaces the one before", async () => {
    const [before, after] = [await receiver(), await receiver()];
    const push = pushService();
    push.register(here, "t", { url: before.url, id: "mine" });
    push.register(here, "t", { url: after.url, id: "mine" });
    push.notify(here, {}, task);
    await after.count(1);
    expect([push.list(here, { taskId: "t" }).configs?.length, before.heard.length]).toEqual([1, 0]);
  });

  test("that is not there is told by the error that A2A names for it", async () => {
    const push = pushService();
    push.register(here, "other", { url, id: "mine" });
    expect(await refused(() => push.get(here, "t", "mine"))).toEqual({
      kind: "TaskNotFound",
      message: 'Task t has no push configuration "mine"',
    });
  });

  test("can be deleted, twice, and is gone", async () => {
    const push = pushService();
    push.register(here, "t", { url, id: "mine" });
    push.delete(here, "t", "mine");
    push.delete(here, "t", "mine");
    expect([push.wants(here, "t"), push.list(here, { taskId: "t" })]).toEqual([
      false,
      { configs: [], nextPageToken: "" },
    ]);
    expect((await refused(() => push.get(here, "t", "mine"))).kind).toBe("TaskNotFound");
  });

  test("is one of fifty at most, of which one may still be replaced", async () => {
    const push = pushService();
    for (let n = 0; n < 50; n++) push.register(here, "t", { url, id: `c${n}` });
    expect(await refused(() => push.register(here, "t", { url }))).toEqual({
      kind: "InvalidParams",
      message: "A task may have at most 50 push configurations. Delete one first",
    });
    expect(push.register(here, "t", { url, id: "c7", token: "new" }).token).toBe("new");
    expect(push.register(here, "other", { url, id: "c" }).id).toBe("c");
  });

  test("takes room on its caller's account, and gives it back", () => {
    const ledger = new Ledger({ caller: 100_000, total: 1_000_000 });
    const push = pushService({}, ledger);
    for (let n = 0; n < 11; n++) push.register(here, `t${n}`, { url, id: "c" });
    expect(() => push.register(here, "t11", { url, id: "c" })).toThrow(BudgetExceeded);
    push.register(elsewhere, "t11", { url, id: "c" });
    push.delete(here, "t0", "c");
    push.register(here, "t11", { url, id: "c" });
    push.forget(here.scope, "t1");
    expect([push.wants(here, "t1"), push.wants(elsewhere, "t11")]).toEqual([false, true]);
    push.close();
    expect(ledger.total).toBe(0);
  });

  test("whose token is as long as a body is refused by its length", () => {
    const push = pushService({}, new Ledger({ caller: 100_000, total: 1_000_000 }));
    const register = () => push.register(here, "t", { url, id: "c", token: "x".repeat(100_000) });
    expect(register).toThrow(BudgetExceeded);
    expect(push.wants(here, "t")).toBe(false);
  });

  test("is listed page by page", () => {
    const push = pushService();
    for (let n = 0; n < 5; n++) push.register(here, "t", { url, id: `c${n}` });
    const pages: (string | undefined)[][] = [];
    let pageToken = "";
    do {
      const page = push.list(here, { taskId: "t", pageSize: 2, ...(pageToken ? { pageToken } : {}) });
      pages.push(page.configs!.map(({ id }) => id));
      pageToken = page.nextPageToken!;
    } while (pageToken);
    expect(pages).toEqual([["c0", "c1"], ["c2", "c3"], ["c4"]]);
    expect(push.list(here, { taskId: "t", pageSize: 0 }).configs).toHaveLength(5);
  });

  test.each([
    [{ pageSize: -1 }, "$.pageSize", "Invalid parameters: pageSize must not be negative"],
    [{ pageToken: "x" }, "$.pageToken", "Invalid parameters: pageToken was not issued by this agent for this task"],
  ])("is not listed for %j", async (request, path, message) => {
    const push = pushService();
    push.register(here, "t", { url, id: "c" });
    expect(await refused(() => push.list(here, { taskId: "t", ...request }))).toEqual({
      kind: "InvalidParams",
      message,
      path,
    });
  });
});

describe("a webhook is refused at once", () => {
  const notNamed = "You did not name this host, so it was not contacted. To allow it, pass --allow-host";

  test.each([
    ["ftp://example.com/", "must be an http or https URL"],
    ["example.com/hook", "must be an http or https URL"],
    ["", "must be an http or https URL"],
    ["http://exa mple.com/", "must be an http or https URL"],
    ["http://", "must be an http or https URL"],
    ["http://[::", "is not a URL"],
    ["http://example.com:99999/", "is not a URL"],
    ["http://127.0.0.1/", `is refused: 127.0.0.1 is an address of this machine. ${notNamed} 127.0.0.1.`],
    ["http://2130706433/", `is refused: 127.0.0.1 is an address of this machine. ${notNamed} 127.0.0.1.`],
    ["http://[::ffff:10.0.0.1]/", `is refused: ::ffff:a00:1 is a private address. ${notNamed} ::ffff:a00:1.`],
    ["HTTP://10.1.2.3:8080/hook", `is refused: 10.1.2.3 is a private address. ${notNamed} 10.1.2.3.`],
    [
      "http://169.254.169.254/latest/",
      `is refused: 169.254.169.254 is the address of a cloud metadata service. ${notNamed} 169.254.169.254.`,
    ],
  ])("%j", async (webhook, problem) => {
    const push = pushService({});
    expect(await refused(() => push.check({ url: webhook }))).toEqual({
      kind: "InvalidParams",
      message: `Invalid parameters: url ${problem}`,
      path: "$.url",
    });
  });

  test.each(["https://example.com/", "http://example.com:8080/a?b=c", "http://93.184.215.14/"])(
    "but not %s",
    (webhook) => {
      expect(pushService({}).check({ url: webhook })).toBeUndefined();
    },
  );

  test.each([
    [{ token: "a\r\nX-Evil: 1" }, "token"],
    [{ token: "a\u0000" }, "token"],
    [{ token: "a\u007f" }, "token"],
    [{ token: "grüße" }, "token"],
    [{ authentication: { scheme: "Bearer\n", credentials: "x" } }, "authentication.scheme"],
    [{ authentication: { scheme: "Bearer", credentials: "x\ry" } }, "authentication.credentials"],
  ])("when what travels in its headers could write headers of its own: %j", async (config, field) => {
    expect(await refused(() => pushService().check({ url, ...config }))).toEqual({
      kind: "InvalidParams",
      message: `Invalid parameters: ${field} must consist of visible ASCII characters`,
      path: `$.${field}`,
    });
  });

  test("and its place in a send is named", async () => {
    const { engine } = engineHarness({ push: pushService({}) });
    const configuration = { taskPushNotificationConfig: { url: "http://127.0.0.1/" } };
    expect(await refusal(engine.send({ message: user("task-lifecycle"), configuration }, here))).toMatchObject({
      kind: "InvalidParams",
      path: "$.configuration.taskPushNotificationConfig.url",
    });
    expect((await engine.list({}, here)).totalSize).toBe(0);
  });
});

describe("a configuration inside a send", () => {
  test("hears the whole life of the task, in order, each notification one event of the stream", async () => {
    const hook = await receiver();
    const push = pushService();
    const { engine } = engineHarness({ push });
    const configuration = { taskPushNotificationConfig: { url: hook.url, id: "mine", token: "t0ken" } };
    const message = user("task-lifecycle x");
    const { task } = await engine.send({ message, configuration }, here);
    await hook.count(4);
    const timestamp = "2026-11-15T12:00:00.000Z";
    const ids = { taskId: task!.id, contextId: task!.contextId };
    expect(heardBy(hook)).toEqual([
      {
        task: {
          id: ids.taskId,
          contextId: ids.contextId,
          status: { state: "TASK_STATE_SUBMITTED", timestamp },
          history: task!.history,
        },
      },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING", timestamp } } },
      { artifactUpdate: { ...ids, artifact: task!.artifacts![0], lastChunk: true } },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED", timestamp } } },
    ]);
    expect(hook.heard.map(({ headers }) => headers["x-a2a-notification-token"])).toEqual(Array(4).fill("t0ken"));
    expect(push.get(here, task!.id, "mine")).toEqual({ url: hook.url, id: "mine", taskId: task!.id, token: "t0ken" });
  });

  test("of a follow-up hears what comes from there on", async () => {
    const hook = await receiver();
    const { begin, follow } = engineHarness({ push: pushService() });
    const task = await begin("multi-turn");
    await follow(task, "done", { taskPushNotificationConfig: { url: hook.url } });
    await hook.count(3);
    const states = heardBy(hook).map(({ statusUpdate }) => statusUpdate?.status.state);
    expect(states).toEqual(["TASK_STATE_WORKING", undefined, "TASK_STATE_COMPLETED"]);
  });

  test("that is answered by a message is not needed", async () => {
    const hook = await receiver();
    const { engine } = engineHarness({ push: pushService() });
    const configuration = { taskPushNotificationConfig: { url: hook.url } };
    expect(await engine.send({ message: user("message-only"), configuration }, here)).toHaveProperty("message");
    await wait(20);
    expect(hook.heard).toEqual([]);
  });

  test("hears a cancel", async () => {
    const hook = await receiver();
    const { engine } = engineHarness({ push: pushService() });
    const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: hook.url } };
    const { task } = await engine.send({ message: user("task-cancel"), configuration }, here);
    await engine.cancel({ id: task!.id }, here);
    await hook.count(3);
    expect(heardBy(hook).at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });
});

describe("telling several", () => {
  test("each webhook of a task hears all, and those of other tasks nothing", async () => {
    const hooks = [await receiver(), await receiver(), await receiver()] as const;
    const push = pushService();
    push.register(here, "t", { url: hooks[0].url });
    push.register(here, "t", { url: hooks[1].url });
    push.register(here, "other", { url: hooks[2].url });
    const events: StreamResponse[] = [1, 2, 3].map((n) => ({
      statusUpdate: { taskId: "t", contextId: `${n}`, status: { state: "TASK_STATE_WORKING" } },
    }));
    for (const event of events) push.notify(here, event, task);
    await Promise.all([hooks[0].count(3), hooks[1].count(3)]);
    expect(hooks.map(heardBy)).toEqual([events, events, []]);
  });

  test("one that hangs and one that fails do not hold up the third", async () => {
    const [hanging, failing, well] = [await receiver(hang), await receiver(say(503)), await receiver()];
    const push = pushService();
    for (const { url: webhook } of [hanging, failing, well]) push.register(here, "t", { url: webhook });
    for (let n = 0; n < 3; n++) push.notify(here, {}, task);
    await Promise.all([well.count(3), hanging.count(1)]);
    expect([well.heard.length, hanging.heard.length]).toEqual([3, 1]);
  });

  test("nothing leaves for a configuration that was deleted, not even what is under way", async () => {
    const [deleted, kept] = [await receiver(hang), await receiver()];
    const push = pushService();
    push.register(here, "t", { url: deleted.url, id: "deleted" });
    push.register(here, "t", { url: kept.url, id: "kept" });
    push.notify(here, {}, task);
    push.notify(here, {}, task);
    await deleted.count(1);
    push.delete(here, "t", "deleted");
    await deleted.abandoned;
    push.notify(here, {}, task);
    await kept.count(3);
    expect([deleted.heard.length, kept.heard.length]).toEqual([1, 3]);
  });

  test("nothing leaves after the service was closed", async () => {
    const hook = await receiver(hang);
    const push = pushService();
    push.register(here, "t", { url: hook.url });
    push.notify(here, {}, task);
    await hook.count(1);
    push.close();
    await hook.abandoned;
    expect(push.wants(here, "t")).toBe(false);
  });
});

describe("an agent that does not push", () => {
  const asks: [string, (push: PushService) => unknown][] = [
    ["check", (push) => push.check({ url })],
    ["register", (push) => push.register(here, "t", { url })],
    ["get", (push) => push.get(here, "t", "c")],
    ["list", (push) => push.list(here, { taskId: "t" })],
    ["delete", (push) => push.delete(here, "t", "c")],
  ];

  test.each(asks)("says so: %s", async (_name, ask) => {
    expect(await refused(() => ask(noPush))).toEqual({
      kind: "PushNotificationNotSupported",
      message: "This agent does not support push notifications",
    });
  });

  test("says so to a send with a configuration, and creates nothing", async () => {
    const { engine } = engineHarness();
    const request = { message: user("task-lifecycle"), configuration: { taskPushNotificationConfig: { url } } };
    expect((await refusal(engine.send(request, here))).kind).toBe("PushNotificationNotSupported");
    expect((await engine.list({}, here)).totalSize).toBe(0);
  });
});
