import type { Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { ask, collect, follow, say, sending } from "../../fixtures/testbed.fixture.ts";
import { refusedAs, refusedBy } from "./refusals.fixture.ts";
import { atWork, taskFrom, useOlderWires, userSays, words } from "./wires.fixture.ts";

const { at, native, onSpec } = useOlderWires();

describe("a task of /spec is one task in every dialect", () => {
  const [rpc03, rest03] = onSpec;
  const spec = at("spec");

  test("made in 1.0, read and canceled in 0.3", async () => {
    const { task } = await ask(spec(), "JSONRPC", "SendMessage", sending("task-lifecycle it"));
    for (const peer of [rpc03, rest03]) {
      expect(await peer.get(task!.id)).toEqual({
        id: task!.id,
        contextId: task!.contextId,
        state: "completed",
        artifacts: [{ name: "result", parts: [{ text: "[task-lifecycle] Processed: task-lifecycle it" }] }],
        history: [userSays("task-lifecycle it")],
      });
    }
    const working = await ask(
      spec(),
      "HTTP+JSON",
      "SendMessage",
      sending("task-cancel go", { returnImmediately: true }),
    );
    expect((await rpc03.cancel(working.task!.id)).state).toBe("canceled");
    expect((await ask(spec(), "JSONRPC", "GetTask", { id: working.task!.id })).status.state).toBe(
      "TASK_STATE_CANCELED",
    );
  });

  test("made in 0.3, read, listed and continued in 1.0", async () => {
    for (const peer of [rpc03, rest03]) {
      const contextId = `crossing-${peer.transport}`;
      const { id } = await taskFrom(peer, words("multi-turn start", { contextId }));
      const task: Task = await ask(spec(), "JSONRPC", "GetTask", { id });
      expect([task.contextId, task.status.state]).toEqual([contextId, "TASK_STATE_INPUT_REQUIRED"]);
      expect((await ask(spec(), "HTTP+JSON", "ListTasks", { contextId })).tasks.map((one) => one.id)).toEqual([id]);
      const done = await ask(spec(), "JSONRPC", "SendMessage", { message: say("done", { taskId: id }) });
      expect(done.task?.status.state).toBe("TASK_STATE_COMPLETED");
      expect((await peer.get(id)).state).toBe("completed");
    }
  });

  test("streamed in one dialect, followed in the other, to the same end", async () => {
    const id = await atWork(rpc03, "long-running go");
    const [old, now] = await Promise.all([
      rest03.resubscribe(id),
      collect(follow(spec(), "JSONRPC", "SubscribeToTask", { id })),
    ]);
    const step = 5;
    expect(old.flatMap((event) => (event.is === "artifact" ? event.name : [])).at(-1)).toBe(`step-${step}`);
    expect(now.flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.name ?? []).at(-1)).toBe(`step-${step}`);
    expect(old.at(-1)).toMatchObject({ is: "status", state: "completed", final: true });
    expect(now.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  test("other agents cannot see these tasks", async () => {
    const { id } = await taskFrom(native[0]!, words("task-lifecycle x"));
    expect(await refusedBy(rpc03.get(id))).toEqual(refusedAs(rpc03, "TaskNotFound"));
  });
});
