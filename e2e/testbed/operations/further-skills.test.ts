import type { Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import {
  agentMessage,
  ask,
  aTimestamp,
  bindings,
  collect,
  follow,
  refusal,
  refusedAs,
  say,
  sending,
  taskFrom,
  useTestbed,
} from "../../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const spec = () => `${bed.url}/spec`;

describe.each(bindings)("over %s", (binding) => {
  describe("the further skills", () => {
    test.each<[string, string, unknown]>([
      ["rejected x", "TASK_STATE_REJECTED", "[rejected] This agent declines the task."],
      ["fail-after 2", "TASK_STATE_FAILED", "[fail-after] Failed after 2 chunks."],
    ])("%s ends as %s", async (text, state, said) => {
      const task = await taskFrom(spec(), binding, text);
      expect(task.status).toEqual({
        state,
        timestamp: aTimestamp,
        message: agentMessage(said, { taskId: task.id, contextId: task.contextId! }),
      });
    });

    test("auth-required waits for an authorisation and goes on with the next message", async () => {
      const asked = await taskFrom(spec(), binding, "auth-required book it");
      expect([asked.status.state, asked.status.message?.role]).toEqual(["TASK_STATE_AUTH_REQUIRED", "ROLE_AGENT"]);
      const message = say("here you are", { taskId: asked.id });
      const { task } = await ask(spec(), binding, "SendMessage", { message });
      expect([task!.id, task!.status.state, task!.artifacts?.[0]?.name]).toEqual([
        asked.id,
        "TASK_STATE_COMPLETED",
        "receipt",
      ]);
    });

    test("throw: the skill crashes, the task fails, and the response has no details of the crash", async () => {
      const task = await taskFrom(spec(), binding, "throw");
      expect(task.status).toEqual({
        state: "TASK_STATE_FAILED",
        timestamp: aTimestamp,
        message: agentMessage("[throw] The skill failed with an internal error of the agent.", {
          taskId: task.id,
          contextId: task.contextId!,
        }),
      });
      expect(bed.faults.splice(0)).toEqual([expect.objectContaining({ message: expect.stringMatching(/on purpose/) })]);
    });

    test.each([
      ["internal-error", "Internal"],
      ["invalid-response", "InvalidAgentResponse"],
    ] as const)("%s: the request is answered with that error, and there is no task", async (text, error) => {
      for (const operation of ["SendMessage", "SendStreamingMessage"] as const) {
        const contextId = `breakdown-${crypto.randomUUID()}`;
        const request = { message: say(text, { contextId }) };
        expect(await refusal(spec(), binding, operation, request)).toEqual(refusedAs(binding, error));
        expect((await ask(spec(), binding, "ListTasks", { contextId })).tasks).toEqual([]);
      }
    });

    test("chunks streams as many chunks as asked, and they add up", async () => {
      const events = await collect(follow(spec(), binding, "SendStreamingMessage", sending("chunks 200 32")));
      const updates = events.flatMap(({ artifactUpdate: update }) => (update ? [update] : []));
      expect(updates.map(({ append, lastChunk }) => [append ?? false, lastChunk ?? false])).toEqual(
        Array.from({ length: 200 }, (_, i) => [i > 0, i === 199]),
      );
      const { artifacts } = await ask(spec(), binding, "GetTask", { id: events[0]!.task!.id });
      expect(artifacts?.[0]?.parts).toEqual(updates.flatMap(({ artifact }) => artifact.parts));
    });

    test("history leaves as many messages as asked, and historyLength takes the latest", async () => {
      const task = await taskFrom(spec(), binding, "history 5", { historyLength: 2 });
      const texts = (of: Task) => of.history?.map(({ parts }) => parts[0]?.text);
      expect(texts(task)).toEqual(["[history] Message 4 of 5", "[history] Message 5 of 5"]);
      const whole = await ask(spec(), binding, "GetTask", { id: task.id });
      expect(texts(whole)).toEqual(["history 5", ...[1, 2, 3, 4, 5].map((n) => `[history] Message ${n} of 5`)]);
      const one = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 1 });
      expect(texts(one)).toEqual(["[history] Message 5 of 5"]);
      const none = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 0 });
      expect(Object.hasOwn(none, "history")).toBe(false);
      const more = await ask(spec(), binding, "GetTask", { id: task.id, historyLength: 100 });
      expect(texts(more)).toEqual(texts(whole));
    });

    test("big, many-artifacts, file-url and unicode arrive whole", async () => {
      const big = await taskFrom(spec(), binding, "big 3000000");
      expect(big.artifacts?.[0]?.parts[0]?.text?.length).toBe(3_000_000);
      const many = await taskFrom(spec(), binding, "many-artifacts 40");
      expect(many.artifacts?.map(({ artifactId }) => artifactId)).toEqual(
        Array.from({ length: 40 }, (_, i) => `artifact-${i + 1}`),
      );
      const file = await taskFrom(spec(), binding, "file-url");
      expect(file.artifacts?.[0]?.parts).toEqual([
        { url: "https://example.com/report.pdf", filename: "report.pdf", mediaType: "application/pdf" },
      ]);
      const unicode = await taskFrom(spec(), binding, "unicode");
      expect(unicode.artifacts?.[0]?.parts.map(({ text }) => text)).toEqual([
        "Grüße, čeština, ελληνικά, العربية, 中文",
        "emoji: 👩‍👩‍👧‍👦 🏳️‍🌈 combining: é vs e\u0301",
        "line separator:\u2028 paragraph separator:\u2029 no-break space:\u00a0.",
        'quotes " \\ / and a tab\t.',
      ]);
    });

    test("slow is still at work when asked at once", async () => {
      const started = await taskFrom(spec(), binding, "slow 600", { returnImmediately: true });
      const now = await ask(spec(), binding, "GetTask", { id: started.id });
      expect(now.status.state).toBe("TASK_STATE_WORKING");
      const { status } = await ask(spec(), binding, "CancelTask", { id: started.id });
      expect(status.state).toBe("TASK_STATE_CANCELED");
    });
  });
});
