import { describe, expect, test } from "vitest";
import { ask, bindings, refusal, refusedAs, say, taskFrom, useTestbed } from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;

describe.each(bindings)("over %s", (binding) => {
  describe("listing", () => {
    test("spec-list-tasks: newest first, without artifacts unless asked, page by page without loss", async () => {
      const contextId = `list-${binding}`;
      const ids: string[] = [];
      for (let n = 0; n < 7; n++) {
        const text = n === 3 ? "task-failure x" : n === 4 ? "multi-turn x" : "task-lifecycle x";
        const { task } = await ask(spec(), binding, "SendMessage", { message: say(text, { contextId }) });
        ids.unshift(task!.id);
      }
      const listing = (request: object) => ask(spec(), binding, "ListTasks", { contextId, ...request });
      const all = await listing({});
      expect(all).toEqual({ tasks: expect.any(Array), nextPageToken: "", pageSize: 50, totalSize: 7 });
      expect(all.tasks.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const times = all.tasks.map(({ status }) => status.timestamp!);
      expect(times).toEqual([...times].sort().reverse());
      expect(all.tasks.some((task) => Object.hasOwn(task, "artifacts"))).toBe(false);

      const walked: string[] = [];
      const sizes: number[] = [];
      let pageToken = "";
      do {
        const page = await listing({ pageSize: 3, ...(pageToken && { pageToken }) });
        expect([page.pageSize, page.totalSize]).toEqual([3, 7]);
        sizes.push(page.tasks.length);
        walked.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken);
      expect([sizes, walked.sort()]).toEqual([[3, 3, 1], [...ids].sort()]);

      const whole = await listing({ includeArtifacts: true, status: "TASK_STATE_COMPLETED" });
      expect([whole.totalSize, whole.tasks.every(({ artifacts }) => artifacts?.length === 1)]).toEqual([5, true]);
      const failed = await listing({ status: "TASK_STATE_FAILED" });
      expect(failed.tasks.map(({ id }) => id)).toEqual([ids[3]]);
      const asking = await listing({ status: "TASK_STATE_INPUT_REQUIRED", historyLength: 0 });
      expect(asking.tasks.map((task) => [task.id, Object.hasOwn(task, "history")])).toEqual([[ids[2], false]]);
      expect((await listing({ statusTimestampAfter: "2000-01-01T00:00:00Z" })).totalSize).toBe(7);
      const later = new Date(Date.now() + 60_000).toISOString();
      expect(await listing({ statusTimestampAfter: later })).toEqual({
        tasks: [],
        nextPageToken: "",
        pageSize: 50,
        totalSize: 0,
      });
    });

    test("a page token works for its own query only", async () => {
      const contextId = `tokens-${binding}`;
      for (let n = 0; n < 3; n++) {
        await ask(spec(), binding, "SendMessage", { message: say("task-lifecycle x", { contextId }) });
      }
      const { nextPageToken } = await ask(spec(), binding, "ListTasks", { contextId, pageSize: 1 });
      expect(nextPageToken).not.toBe("");
      const elsewhere = { contextId: "another", pageSize: 1, pageToken: nextPageToken };
      expect(await refusal(spec(), binding, "ListTasks", elsewhere)).toEqual(refusedAs(binding, "InvalidParams"));
    });

    test("tasks of one agent are not seen at another", async () => {
      const task = await taskFrom(spec(), binding, "task-lifecycle x");
      for (const other of ["full", "minimal", "echo"]) {
        expect(await refusal(`${bed.url}/${other}`, binding, "GetTask", { id: task.id })).toEqual(
          refusedAs(binding, "TaskNotFound"),
        );
      }
    });
  });
});
