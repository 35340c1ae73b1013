import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, StreamResponse } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { startReceiver } from "../fixtures/receiver.fixture.ts";
import {
  anId,
  ask,
  aTimestamp,
  bindings,
  blamedFields,
  collect,
  follow,
  plain,
  refusal,
  refusalIn,
  refusedAs,
  say,
  sending,
  taskFrom,
  until,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const full = () => `${bed.url}/full`;

const gist = (event: StreamResponse): string =>
  event.task?.status.state ??
  event.statusUpdate?.status.state ??
  event.artifactUpdate?.artifact.artifactId ??
  "message";

describe.each(bindings)("push notifications over %s", (binding) => {
  const create = (taskId: string, url: string, more: object = {}) =>
    ask(full(), binding, "CreateTaskPushNotificationConfig", { taskId, url, ...more });

  test("a configuration in a send gets every event, in order, with its credentials", async () => {
    const receiver = await startReceiver();
    const task = await taskFrom(full(), binding, "task-lifecycle x", {
      taskPushNotificationConfig: {
        url: receiver.url,
        token: "my token",
        authentication: { scheme: "Bearer", credentials: "s3cret" },
      },
    });
    const told = await receiver.arrived(4);
    const ids = { taskId: task.id, contextId: task.contextId };
    expect(told.map(({ event }) => event)).toEqual([
      {
        task: {
          id: task.id,
          contextId: task.contextId,
          status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp },
          history: task.history,
        },
      },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_WORKING", timestamp: aTimestamp } } },
      { artifactUpdate: { ...ids, artifact: task.artifacts![0], lastChunk: true } },
      { statusUpdate: { ...ids, status: { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp } } },
    ]);
    for (const { path, headers } of told) {
      expect([path, headers["content-type"], headers.authorization, headers["x-a2a-notification-token"]]).toEqual([
        "/hook",
        "application/a2a+json",
        "Bearer s3cret",
        "my token",
      ]);
      expect(headers["user-agent"]).toMatch(/^a2a-assay\/0\.0\.0-e2e/);
    }
    const { configs } = await ask(full(), binding, "ListTaskPushNotificationConfigs", { taskId: task.id });
    expect(configs).toEqual([
      {
        id: anId,
        taskId: task.id,
        url: receiver.url,
        // Only the webhook gets the credentials.
        authentication: { scheme: "Bearer" },
      },
    ]);
  });

  test("a stream and a webhook get the same events", async () => {
    const receiver = await startReceiver();
    const request = sending("streaming x", { taskPushNotificationConfig: { url: receiver.url } });
    const events = await collect(follow(full(), binding, "SendStreamingMessage", request));
    expect((await receiver.arrived(events.length)).map(({ event }) => event)).toEqual(events);
    expect(receiver.notifications[0]!.headers.authorization).toBe(undefined);
  });

  test("a later configuration gets the following events until it is deleted", async () => {
    const [kept, dropped] = [await startReceiver(), await startReceiver()];
    const { id: taskId } = await taskFrom(full(), binding, "multi-turn x");
    const one = await create(taskId, kept.url);
    const two = await create(taskId, dropped.url, { id: "mine", token: "t" });
    expect([one, two]).toEqual([
      { id: anId, taskId, url: kept.url },
      { id: "mine", taskId, url: dropped.url, token: "t" },
    ]);
    await ask(full(), binding, "SendMessage", { message: say("more", { taskId }) });
    expect((await dropped.arrived(1)).map(({ event }) => gist(event))).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    const key = { taskId, id: "mine" };
    expect(await ask(full(), binding, "DeleteTaskPushNotificationConfig", key)).toEqual({});
    await ask(full(), binding, "SendMessage", { message: say("done", { taskId }) });
    expect((await kept.arrived(4)).map(({ event }) => gist(event))).toEqual([
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_WORKING",
      "final",
      "TASK_STATE_COMPLETED",
    ]);
    await sleep(100);
    expect([kept.notifications.length, dropped.notifications.length]).toEqual([4, 1]);
  });

  test("configurations can be read, listed in pages, replaced and deleted, also twice", async () => {
    const { id: taskId } = await taskFrom(full(), binding, "multi-turn x");
    const url = "http://127.0.0.1:9/hook";
    const made = [];
    for (const id of ["a", "b", "c d/é", "e"]) made.push(await create(taskId, url, { id }));
    const list = (more: object = {}) => ask(full(), binding, "ListTaskPushNotificationConfigs", { taskId, ...more });
    expect(await list()).toEqual({ configs: made, nextPageToken: "" });
    const first = await list({ pageSize: 3 });
    expect([first.configs, first.nextPageToken === ""]).toEqual([made.slice(0, 3), false]);
    expect(await list({ pageSize: 3, pageToken: first.nextPageToken! })).toEqual({
      configs: made.slice(3),
      nextPageToken: "",
    });
    expect(await ask(full(), binding, "GetTaskPushNotificationConfig", { taskId, id: "c d/é" })).toEqual(made[2]);
    const replaced = await create(taskId, `${url}/new`, { id: "a" });
    expect((await list()).configs).toEqual([replaced, ...made.slice(1)]);
    for (let n = 0; n < 2; n++) {
      expect(await ask(full(), binding, "DeleteTaskPushNotificationConfig", { taskId, id: "a" })).toEqual({});
    }
    expect((await list()).configs).toEqual(made.slice(1));
    const notFound = refusedAs(binding, "TaskNotFound");
    expect(await refusal(full(), binding, "GetTaskPushNotificationConfig", { taskId, id: "a" })).toEqual(notFound);
    const forged = { taskId, pageToken: "bm90LW91cnM" };
    expect(await refusal(full(), binding, "ListTaskPushNotificationConfigs", forged)).toEqual(
      refusedAs(binding, "InvalidParams"),
    );
  });

  test("a configuration for an unknown task is rejected", async () => {
    const taskId = "11111111-2222-4333-8444-555555555555";
    const notFound = refusedAs(binding, "TaskNotFound");
    for (const [operation, request] of [
      ["CreateTaskPushNotificationConfig", { taskId, url: "http://127.0.0.1:9/" }],
      ["GetTaskPushNotificationConfig", { taskId, id: "x" }],
      ["ListTaskPushNotificationConfigs", { taskId }],
      ["DeleteTaskPushNotificationConfig", { taskId, id: "x" }],
    ] as const) {
      expect(await refusal(full(), binding, operation, request)).toEqual(notFound);
    }
  });

  test("temporary failures are retried, and the order stays", async () => {
    const receiver = await startReceiver((n, response) => response.writeHead(n <= 2 ? 503 : 200).end());
    await taskFrom(full(), binding, "task-lifecycle x", { taskPushNotificationConfig: { url: receiver.url } });
    expect((await receiver.arrived(6)).map(({ event }) => gist(event))).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "result",
      "TASK_STATE_COMPLETED",
    ]);
  });

  test("a rejected notification is not retried, and the next one is sent", async () => {
    const receiver = await startReceiver((n, response) => response.writeHead(n === 1 ? 410 : 200).end());
    await taskFrom(full(), binding, "task-lifecycle x", { taskPushNotificationConfig: { url: receiver.url } });
    // A retry comes before the next notification.
    expect((await receiver.arrived(4)).map(({ event }) => gist(event))).toEqual([
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "result",
      "TASK_STATE_COMPLETED",
    ]);
  });

  test.each([
    "ftp://127.0.0.1/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "not a url",
    "http://",
    "http://10.0.0.1/hook",
    "http://192.168.1.1:8080/",
    "http://169.254.169.254/latest/meta-data",
    "http://[fd00:ec2::254]/",
    "http://0x0a000001/",
    "http://a b/",
    // Line breaks and spaces would end the request line.
    "http://127.0.0.1:9/a\r\nX: 1",
    "http://127.0.0.1:9/a b",
    "http://127.0.0.1:9/\tx",
    " http://x",
  ])("the server rejects the webhook %j", async (url) => {
    const { id: taskId } = await taskFrom(full(), binding, "multi-turn x");
    const invalid = refusedAs(binding, "InvalidParams");
    const sent = written(full(), binding, "CreateTaskPushNotificationConfig", { taskId, url });
    const answer = await plain(sent.url, sent.plain);
    expect([refusalIn(binding, answer), blamedFields(answer.text)]).toEqual([invalid, ["url"]]);
    const inline = sending("task-lifecycle x", { taskPushNotificationConfig: { url } });
    expect(await refusal(full(), binding, "SendMessage", inline)).toEqual(invalid);
  });
});

describe("dead letters", () => {
  const lettersOf = async (agent: string, headers: Record<string, string> = {}) => {
    const { status, text } = await plain(`${bed.url}/${agent}`, { headers });
    return { status, letters: (JSON.parse(text) as { deadLetters?: JsonObject[] }).deadLetters };
  };
  const bearer = (name: string) => ({ Authorization: `Bearer ${name}-token` });

  test("undelivered notifications are listed without secrets, only to their caller, who can delete them", async () => {
    const receiver = await startReceiver((_n, response) => response.writeHead(410).end());
    const secret = { token: "t0ken", authentication: { scheme: "Bearer", credentials: "s3cret" } };
    const configuration = { taskPushNotificationConfig: { url: `${receiver.url}?key=qu3ry`, id: "mine", ...secret } };
    const request = sending("task-lifecycle x", configuration);
    const { task } = await ask(`${bed.url}/secure`, "JSONRPC", "SendMessage", request, bearer("alice"));
    const path = `secure/dead-letters?taskId=${task!.id}`;
    const { letters } = await until(
      () => lettersOf(path, bearer("alice")),
      (found) => found.letters?.length === 4,
    );
    expect(letters!.toReversed().map(({ reason, status }) => [reason, status])).toEqual([
      ["refused", 410],
      ["refused", 410],
      ["refused", 410],
      ["webhook-given-up", undefined],
    ]);
    expect(letters![0]).toEqual({
      id: anId,
      taskId: task!.id,
      configId: "mine",
      origin: new URL(receiver.url).origin,
      at: aTimestamp,
      reason: "webhook-given-up",
      attempts: 0,
      bodyBytes: expect.any(Number),
      notification: {
        statusUpdate: {
          taskId: task!.id,
          contextId: task!.contextId,
          status: { state: "TASK_STATE_COMPLETED", timestamp: aTimestamp },
        },
      },
    });
    expect(JSON.stringify(letters)).not.toMatch(/t0ken|s3cret|qu3ry/);
    expect(await lettersOf(path, bearer("bob"))).toEqual({ status: 200, letters: [] });
    expect((await lettersOf(path)).status).toBe(401);
    const forget = (name: string) => plain(`${bed.url}/${path}`, { method: "DELETE", headers: bearer(name) });
    expect([(await forget("carol")).status, (await forget("alice")).status]).toEqual([403, 200]);
    expect((await lettersOf(path, bearer("alice"))).letters).toEqual([]);
  });

  test("the list is served below agents that send notifications, by tenant, with GET and DELETE", async () => {
    expect((await lettersOf("full/dead-letters?tenant=north")).letters).toEqual([]);
    expect((await lettersOf("full/dead-letters?tenant=west")).status).toBe(400);
    expect((await lettersOf("spec/dead-letters")).status).toBe(404);
    expect((await plain(`${full()}/dead-letters`, { method: "PUT" })).status).toBe(405);
  });
});
