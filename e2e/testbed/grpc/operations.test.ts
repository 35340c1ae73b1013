import {
  type AgentCard,
  type ListTasksResponse,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  validate,
} from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { dataTypesArtifacts, expectedOf } from "../../fixtures/expected.fixture.ts";
import { version10 } from "../../fixtures/grpc.fixture.ts";
import { agentMessage, anId, ask, aTimestamp, bindings, say, sending } from "../../fixtures/testbed.fixture.ts";
import { endless, eventsOf, full, taskFrom, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, spec } = useSpecOverGrpc();

const { statusUpdate, artifactUpdate, lifecycleTask } = expectedOf();

describe("the eleven operations", () => {
  test("SendMessage: a message, in the context of the question", async () => {
    const message = say("message-only hi", { contextId: "my-context" });
    expect(await spec.ask("SendMessage", { message })).toEqual({
      message: agentMessage("[message-only] You said: message-only hi", { contextId: "my-context" }),
    });
  });

  test("SendMessage and GetTask: a task, the same over every binding, its history as long as asked for", async () => {
    const task = await taskFrom(spec, sending("task-lifecycle it"));
    expect(task).toEqual(lifecycleTask(task, "task-lifecycle it"));
    const { history: _, ...withoutHistory } = task;
    expect(await spec.ask("GetTask", { id: task.id })).toEqual(task);
    expect(await spec.ask("GetTask", { id: task.id, historyLength: 0 })).toEqual(withoutHistory);
    expect(await spec.ask("GetTask", { id: task.id, historyLength: 1 })).toEqual(task);
    for (const binding of bindings) {
      expect(await ask(`${bed.url}/spec`, binding, "GetTask", { id: task.id })).toEqual(task);
    }
  });

  test("SendMessage: every kind of content, both ways", async () => {
    const parts = [
      { text: "data-types all", metadata: { n: 1.5, deep: { list: [null, true, "x"] } } },
      { data: { a: [1, -2.5, { b: null }] } },
      { data: null },
      { data: [1, "two"] },
      { raw: "AAEC/w==", filename: "b.bin", mediaType: "application/octet-stream" },
      { url: "https://example.com/x.png", mediaType: "image/png" },
    ];
    const { artifacts, history } = await taskFrom(spec, {
      message: say("data-types all", { parts }),
      metadata: { trace: "t-1" },
    });
    expect(artifacts).toEqual(dataTypesArtifacts);
    expect(history?.[0]?.parts).toEqual(parts);
  });

  test("SendMessage: follow-ups keep task and context until the task ends", async () => {
    const first = await taskFrom(spec, sending("multi-turn start"));
    const follow = (text: string) => taskFrom(spec, { message: say(text, { taskId: first.id }) });
    const second = await follow("blue");
    const third = await follow("and we are done");
    expect([first, second, third].map(({ id, contextId, status }) => [id, contextId, status.state])).toEqual([
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_INPUT_REQUIRED"],
      [first.id, first.contextId, "TASK_STATE_COMPLETED"],
    ]);
    expect(third.artifacts).toEqual([
      { artifactId: "final", name: "final", parts: [{ text: "[multi-turn] Finished after 3 messages." }] },
    ]);
  });

  test("SendStreamingMessage: the task, working, four chunks, completed, then OK", async () => {
    const events = await eventsOf(spec, "SendStreamingMessage", sending("streaming hi"));
    const task = events[0]!.task!;
    const chunk = (n: number, flags: object) =>
      artifactUpdate(task, "stream-result", [{ text: `[streaming] Chunk ${n}: streaming hi\n` }], flags);
    expect(events).toEqual([
      { task: expect.objectContaining({ status: { state: "TASK_STATE_SUBMITTED", timestamp: aTimestamp } }) },
      statusUpdate(task, "TASK_STATE_WORKING", "[streaming] Starting streamed response..."),
      chunk(1, {}),
      chunk(2, { append: true }),
      chunk(3, { append: true }),
      chunk(4, { append: true, lastChunk: true }),
      statusUpdate(task, "TASK_STATE_COMPLETED"),
    ]);
  });

  test("SendStreamingMessage: a stream may consist of one message", async () => {
    expect(await eventsOf(spec, "SendStreamingMessage", sending("message-only hi"))).toEqual([
      { message: agentMessage("[message-only] You said: message-only hi") },
    ]);
  });

  test("SendStreamingMessage: events arrive when they happen, not at the end", async () => {
    const events: StreamResponse[] = [];
    for await (const event of spec.open<StreamResponse>("SendStreamingMessage", sending(endless))) {
      // Only this cancel ends the task, so an event that is held back until the end would never arrive.
      if ((event as StreamResponse).artifactUpdate) await spec.ask("CancelTask", { id: events[0]!.task!.id });
      events.push(event as StreamResponse);
    }
    expect(events.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  });

  test("ListTasks: page by page, filtered, with and without artifacts", async () => {
    const contextId = "grpc-list";
    const ids: string[] = [];
    for (let n = 0; n < 3; n++)
      ids.push((await taskFrom(spec, { message: say("task-lifecycle x", { contextId }) })).id);
    const list = (more: object) => spec.ask<ListTasksResponse>("ListTasks", { contextId, ...more });
    const one = await list({ pageSize: 2 });
    expect(validate("ListTasksResponse", one)).toEqual([]);
    expect([one.tasks.length, one.pageSize, one.totalSize, one.nextPageToken === ""]).toEqual([2, 2, 3, false]);
    const two = await list({ pageSize: 2, pageToken: one.nextPageToken });
    expect([two.tasks.length, two.pageSize, two.totalSize, two.nextPageToken]).toEqual([1, 2, 3, ""]);
    expect([...one.tasks, ...two.tasks].map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(one.tasks.map(({ artifacts }) => artifacts)).toEqual([undefined, undefined]);
    const whole = await list({ includeArtifacts: true, status: "TASK_STATE_COMPLETED", historyLength: 0 });
    expect(whole.tasks.map(({ artifacts, history }) => [artifacts?.length, history])).toEqual(
      ids.map(() => [1, undefined]),
    );
    expect(await list({ status: "TASK_STATE_FAILED" })).toEqual({
      tasks: [],
      nextPageToken: "",
      pageSize: 50,
      totalSize: 0,
    });
    expect((await list({ statusTimestampAfter: "2999-01-01T00:00:00Z" })).totalSize).toBe(0);
  });

  test("CancelTask: canceled for good, and the metadata comes back", async () => {
    const started = await taskFrom(spec, sending("task-cancel go", { returnImmediately: true }));
    expect(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]).toContain(started.status.state);
    const metadata = { reason: "changed my mind", requestedBy: "grpc" };
    const canceled = await spec.ask<Task>("CancelTask", { id: started.id, metadata });
    expect([canceled.id, canceled.status, canceled.metadata]).toEqual([
      started.id,
      {
        state: "TASK_STATE_CANCELED",
        timestamp: aTimestamp,
        message: agentMessage("[task-cancel] Canceled on request.", {
          taskId: started.id,
          contextId: started.contextId!,
        }),
      },
      metadata,
    ]);
    expect(await spec.ask("GetTask", { id: started.id })).toEqual(canceled);
  });

  test("SubscribeToTask: the current task, its updates, then OK", async () => {
    const started = await taskFrom(spec, sending("long-running go", { returnImmediately: true }));
    const events = await eventsOf(spec, "SubscribeToTask", { id: started.id });
    expect(events[0]?.task?.id).toBe(started.id);
    expect(events.at(-1)).toEqual(statusUpdate(started, "TASK_STATE_COMPLETED", "[long-running] All steps done."));
    const done = (events[0]?.task?.artifacts ?? []).map(({ artifactId }) => artifactId);
    const told = events.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.artifactId ?? []);
    expect([...done, ...told]).toEqual([1, 2, 3, 4, 5].map((n) => `step-${n}`));
  });

  test("push configurations: create, get, list, delete", async () => {
    const { id: taskId } = await taskFrom(spec, full(sending("multi-turn x")));
    const given = {
      taskId,
      url: "http://127.0.0.1:9/hook",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    const made = await spec.ask<TaskPushNotificationConfig>("CreateTaskPushNotificationConfig", full(given));
    expect(made).toEqual({ ...given, id: anId });
    const key = full({ taskId, id: made.id });
    const { token: _token, ...shown } = { ...made, authentication: { scheme: "Bearer" } };
    expect(await spec.ask("GetTaskPushNotificationConfig", key)).toEqual(shown);
    expect(await spec.ask("ListTaskPushNotificationConfigs", full({ taskId }))).toEqual({ configs: [shown] });
    expect(await spec.ask("DeleteTaskPushNotificationConfig", key)).toEqual({});
    expect(await spec.ask("ListTaskPushNotificationConfigs", full({ taskId }))).toEqual({});
    expect(await spec.refusal("GetTaskPushNotificationConfig", key)).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test("GetExtendedAgentCard: with the token of the metadata, and only with it", async () => {
    const meta = { ...version10, authorization: "Bearer agentbin-test-token" };
    const card = await spec.ask<AgentCard>("GetExtendedAgentCard", {}, { meta });
    expect(validate("AgentCard", card)).toEqual([]);
    expect([card.skills.length, card.skills.at(-1)?.id]).toEqual([9, "admin-status"]);
    const unauthenticated = { status: "UNAUTHENTICATED", reason: "UNAUTHENTICATED" };
    expect(await spec.refusal("GetExtendedAgentCard", {})).toEqual(unauthenticated);
    const wrong = { ...version10, authorization: "Bearer wrong" };
    expect(await spec.refusal("GetExtendedAgentCard", {}, { meta: wrong })).toEqual(unauthenticated);
  });
});
