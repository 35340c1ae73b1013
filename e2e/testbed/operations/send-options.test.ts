import { describe, expect, test } from "vitest";
import { ask, bindings, refusal, refusedAs, say, taskFrom, useTestbed } from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;

describe.each(bindings)("over %s", (binding) => {
  describe("the options of a send", () => {
    test("acceptedOutputModes leaves out what the client cannot read", async () => {
      const task = await taskFrom(spec(), binding, "data-types all", { acceptedOutputModes: ["application/json"] });
      expect(task.artifacts?.map(({ name, parts }) => [name, parts.map((part) => Object.keys(part)[0])])).toEqual([
        ["data", ["data"]],
        ["mixed", ["data"]],
      ]);
    });

    test("acceptedOutputModes that the agent cannot meet at all are ignored", async () => {
      const task = await taskFrom(spec(), binding, "data-types all", { acceptedOutputModes: ["video/mp4"] });
      expect(task.artifacts?.map(({ name }) => name)).toEqual(["text", "data", "file", "mixed"]);
    });

    test("historyLength 0 leaves the history out of the answer", async () => {
      const task = await taskFrom(spec(), binding, "task-lifecycle x", { historyLength: 0 });
      expect(Object.hasOwn(task, "history")).toBe(false);
    });

    test("metadata of the request becomes metadata of the task", async () => {
      const metadata = { trace: "abc", "urn:x": { deep: [true, null, 1.5] } };
      const { task } = await ask(spec(), binding, "SendMessage", { message: say("task-lifecycle x"), metadata });
      expect(task!.metadata).toEqual(metadata);
    });

    test("a message keeps its parts, metadata, extensions and references in the history", async () => {
      const message = say("", {
        parts: [
          { text: "task-lifecycle all kinds" },
          { data: { a: [1, null] }, metadata: { k: "v" } },
          { raw: "AAEC", filename: "b.bin", mediaType: "application/octet-stream" },
          { url: "https://example.com/x.png", mediaType: "image/png" },
        ],
        metadata: { m: 1 },
        extensions: ["urn:e"],
        referenceTaskIds: ["t-1"],
      });
      const { task } = await ask(spec(), binding, "SendMessage", { message });
      expect(task!.history).toEqual([{ ...message, taskId: task!.id, contextId: task!.contextId }]);
    });

    test("a part of a type the agent does not read is refused, and nothing is created", async () => {
      const before = (await ask(spec(), binding, "ListTasks", {})).totalSize;
      const message = say("", { parts: [{ text: "task-lifecycle x" }, { raw: "AAEC", mediaType: "video/mp4" }] });
      expect(await refusal(spec(), binding, "SendMessage", { message })).toEqual(
        refusedAs(binding, "ContentTypeNotSupported"),
      );
      expect((await ask(spec(), binding, "ListTasks", {})).totalSize).toBe(before);
    });
  });
});
