import { describe, expect, test } from "vitest";
import { plain, unknownTask } from "../../fixtures/testbed.fixture.ts";
import type { Mistake } from "./peer.fixture.ts";
import { refusedAs, refusedBy } from "./refusals.fixture.ts";
import { taskFrom, useOlderWires, words } from "./wires.fixture.ts";

const { at, onSpec, everyWire } = useOlderWires();

describe.concurrent.each(everyWire)("$name", ({ peer }) => {
  const isFirst = peer.wire === "0.1";
  const hasPush = !onSpec.includes(peer);
  const hook = { url: "http://127.0.0.1:9/hook", token: "t", scheme: "Bearer", credentials: "c" };

  test("an unknown task: get, cancel, resubscribe, push", async () => {
    const refused = refusedAs(peer, "TaskNotFound");
    expect(await refusedBy(peer.get(unknownTask))).toEqual(refused);
    expect(await refusedBy(peer.cancel(unknownTask))).toEqual(refused);
    expect(await refusedBy(peer.resubscribe(unknownTask))).toEqual(refused);
    if (!hasPush) return;
    expect(await refusedBy(peer.setHook(unknownTask, hook))).toEqual(refused);
    expect(await refusedBy(peer.getHook(unknownTask))).toEqual(refused);
  });

  test("a message to an unknown task is refused; in 0.1 it begins that task", async () => {
    if (isFirst) {
      const taskId = `mine-${crypto.randomUUID()}`;
      expect(await taskFrom(peer, words("task-lifecycle x", { taskId }))).toMatchObject({
        id: taskId,
        state: "completed",
      });
      return;
    }
    const refused = refusedAs(peer, "TaskNotFound");
    expect(await refusedBy(peer.send(words("x", { taskId: unknownTask })))).toEqual(refused);
    expect(await refusedBy(peer.stream(words("x", { taskId: unknownTask })))).toEqual(refused);
  });

  test("a finished task cannot be canceled or followed", async () => {
    const { id } = await taskFrom(peer, words("task-lifecycle x"));
    expect(await refusedBy(peer.cancel(id))).toEqual(refusedAs(peer, "TaskNotCancelable"));
    expect(await refusedBy(peer.resubscribe(id))).toEqual(refusedAs(peer, "UnsupportedOperation"));
  });

  test("an ended task rejects messages; in 0.1 it runs again", async () => {
    const { id: taskId } = await taskFrom(peer, words("task-lifecycle x"));
    if (isFirst) {
      const again = await taskFrom(peer, words("task-lifecycle y", { taskId }));
      expect([again.id, again.state]).toEqual([taskId, "completed"]);
      expect(again.artifacts?.at(-1)?.parts).toEqual([{ text: "[task-lifecycle] Processed: task-lifecycle y" }]);
      return;
    }
    expect(await refusedBy(peer.send(words("again", { taskId })))).toEqual(refusedAs(peer, "UnsupportedOperation"));
  });

  test("an internal error has the code of its version, and no task is created", async () => {
    for (const ask of [peer.send, peer.stream]) {
      const [internal, invalid] = ["internal-error", "invalid-response"].map((text) => refusedBy(ask(words(text))));
      expect(await internal).toEqual(refusedAs(peer, "Internal"));
      // The codes of 0.1 end before this one.
      expect(await invalid).toMatchObject(
        isFirst ? { code: -32603, reason: "INVALID_AGENT_RESPONSE" } : refusedAs(peer, "InvalidAgentResponse"),
      );
    }
  });

  test("a message without parts and a negative historyLength are rejected", async () => {
    const refused = refusedAs(peer, "InvalidParams");
    expect(await refusedBy(peer.send({ parts: [] }))).toMatchObject(refused);
    const { id } = await taskFrom(peer, words("multi-turn x"));
    expect(await refusedBy(peer.get(id, -1))).toMatchObject(refused);
    expect(await refusedBy(peer.send(words("x", { historyLength: -1 })))).toMatchObject(refused);
  });

  test.each<[Mistake, Parameters<typeof refusedAs>[1]]>([
    ["unknown-method", "MethodNotFound"],
    ["bad-params", "InvalidParams"],
    ["parse-error", "Parse"],
  ])("the mistake %s is named", async (mistake, error) => {
    // Malformed protobuf returns INVALID_ARGUMENT, because gRPC has no parse error.
    const name = peer.transport === "GRPC" && mistake === "parse-error" ? "InvalidParams" : error;
    expect(await refusedBy(peer.mistake(mistake))).toEqual({
      ...refusedAs(peer, name),
      ...(peer.transport === "GRPC" && mistake === "bad-params" ? { fields: ["message"] } : {}),
    });
  });
});

test("an unknown task gets the error of the schemas", async () => {
  const ask = async (url: string, body?: string) =>
    JSON.parse(
      (await plain(url, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body } : {})).text,
    );
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: unknownTask } });
  for (const path of ["spec03", "spec02", "spec01"])
    expect((await ask(at(path)(), call)).error.message).toBe("Task not found");
  expect((await ask(`${at("spec03")()}/v1/tasks/${unknownTask}`)).message).toBe("Task not found");
});
