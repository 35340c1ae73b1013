import { describe, expect, test } from "vitest";
import { FakeClock } from "../definition/fake-clock.fixture.ts";
import { brief, collect, forever, here, lines, refusal, spoken } from "../engine/engine.fixture.ts";
import { conventionHarness } from "./harness.fixture.ts";
import { tckScripts } from "./tck.ts";

test("every prefix does what the TCK's own agents do", async () => {
  const told = await Promise.all(
    Object.keys(tckScripts).map(async (prefix) => [
      prefix,
      await conventionHarness().told({ id: `${prefix}-1f2e3d4c` }),
    ]),
  );
  expect(Object.fromEntries(told)).toMatchInlineSnapshot(`
    {
      "tck-artifact-data": [
        "task SUBMITTED",
        "artifact output (last) [{"data":{"key":"value","count":42}}]",
        "status COMPLETED",
      ],
      "tck-artifact-file": [
        "task SUBMITTED",
        "artifact output (last) [{"raw":"R2VuZXJhdGVkIGZpbGUgY29udGVudAo=","filename":"output.txt","mediaType":"text/plain"}]",
        "status COMPLETED",
      ],
      "tck-artifact-file-url": [
        "task SUBMITTED",
        "artifact output (last) [{"url":"https://example.com/output.txt","filename":"output.txt","mediaType":"text/plain"}]",
        "status COMPLETED",
      ],
      "tck-artifact-text": [
        "task SUBMITTED",
        "artifact output (last) [{"text":"Generated text content"}]",
        "status COMPLETED",
      ],
      "tck-complete-task": [
        "task SUBMITTED",
        "status COMPLETED agent "Hello from TCK"",
      ],
      "tck-input-required": [
        "task SUBMITTED",
        "status INPUT_REQUIRED",
      ],
      "tck-message-response": [
        "message agent "Direct message response"",
      ],
      "tck-reject-task": [
        "task SUBMITTED",
        "status REJECTED agent "rejected"",
      ],
      "tck-stream-001": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output (last) [{"text":"Stream hello from TCK"}]",
        "status COMPLETED",
      ],
      "tck-stream-002": [
        "task SUBMITTED",
        "status COMPLETED",
      ],
      "tck-stream-003": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output (last) [{"text":"Stream task lifecycle"}]",
        "status COMPLETED",
      ],
      "tck-stream-artifact-chunked": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output [{"text":"chunk-1 "}]",
        "artifact output (append) (last) [{"text":"chunk-2"}]",
        "status COMPLETED",
      ],
      "tck-stream-artifact-file": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output (last) [{"raw":"R2VuZXJhdGVkIGZpbGUgY29udGVudAo=","filename":"output.txt","mediaType":"text/plain"}]",
        "status COMPLETED",
      ],
      "tck-stream-artifact-text": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output (last) [{"text":"Streamed text content"}]",
        "status COMPLETED",
      ],
      "tck-stream-ordering-001": [
        "task SUBMITTED",
        "status WORKING",
        "artifact output (last) [{"text":"Ordered output"}]",
        "status COMPLETED",
      ],
      "test-resubscribe-message-id": [
        "task SUBMITTED",
        "status WORKING",
        "status COMPLETED",
      ],
    }
  `);
});

test.each(["tck-", "tck-send-003-1f2e3d4c", "tck-dm-test-001-1f2e3d4c", "tck-stream"])(
  "%s, like any other id of the TCK, completes the task",
  async (id) => {
    expect(brief(await conventionHarness().begin({ id }))).toBe('COMPLETED agent "Hello from TCK"');
  },
);

test("the longest prefix decides, wherever it stands in the table", async () => {
  const { begin } = conventionHarness();
  const { artifacts } = await begin({ id: "tck-artifact-file-url-1f2e3d4c-jsonrpc" });
  expect(artifacts?.[0]?.parts).toEqual([
    { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
  ]);
});

test("a task to subscribe to again is at work for at least 4 s, however time is scaled", async () => {
  const waits: (number | undefined)[] = [];
  const clock = {
    now: () => 0,
    sleep: async (ms: number, _signal: AbortSignal, atLeast?: number) => {
      waits.push(ms, atLeast);
    },
  };
  await conventionHarness(clock).begin({ id: "test-resubscribe-message-id-1" });
  expect(waits).toEqual([4_500, 4_500]);
});

test("a task to subscribe to again can be canceled meanwhile", async () => {
  const { engine, start, clock } = conventionHarness(new FakeClock());
  const { id } = await start({ id: "test-resubscribe-message-id-1" });
  await clock.pass(4_000);
  expect(brief(await engine.cancel({ id }, here))).toBe("CANCELED");
});

describe("a follow-up to a task that waits for input", () => {
  test("keeps it waiting when it asks for that, and tck-complete-task completes it; the user's words stay, in order", async () => {
    const { begin } = conventionHarness();
    const task = await begin({ id: "tck-input-required-1f2e3d4c", text: "one" });
    const again = await begin({ id: "tck-input-required-1f2e3d4c", text: "two", task });
    const last = await begin({ id: "tck-complete-task-1f2e3d4c", text: "three", task });
    expect([task, again, last].map(brief)).toEqual([
      "INPUT_REQUIRED",
      "INPUT_REQUIRED",
      'COMPLETED agent "Hello from TCK"',
    ]);
    expect(spoken(last)).toEqual(['user "one"', 'user "two"', 'user "three"']);
    expect([again.id, again.contextId]).toEqual([task.id, task.contextId]);
  });

  test.each(["tck-infer-ctx-1f2e3d4c", "any-other-id"])(
    "completes it when its id says nothing else: %s",
    async (id) => {
      const { begin } = conventionHarness();
      const task = await begin({ id: "tck-input-required" });
      expect(brief(await begin({ id, task }))).toBe('COMPLETED agent "Hello from TCK"');
    },
  );

  test("does what its own id says", async () => {
    const { begin, told } = conventionHarness();
    expect(await told({ id: "tck-stream-001", task: await begin({ id: "tck-input-required" }) })).toEqual([
      "task INPUT_REQUIRED",
      "status WORKING",
      'artifact output (last) [{"text":"Stream hello from TCK"}]',
      "status COMPLETED",
    ]);
    const task = await begin({ id: "tck-input-required" });
    expect(brief(await begin({ id: "tck-message-response", task }))).toBe('COMPLETED agent "Direct message response"');
  });

  test("is what a subscriber waits for, and his stream ends with the task", async () => {
    const { engine, begin } = conventionHarness();
    const task = await begin({ id: "tck-input-required" });
    const stream = await engine.subscribe({ id: task.id }, here, forever);
    const [events] = await Promise.all([collect(stream), begin({ id: "tck-complete-task", task })]);
    expect(lines(events)).toEqual(["task INPUT_REQUIRED", 'status COMPLETED agent "Hello from TCK"']);
  });

  test("is not needed to cancel it", async () => {
    const { engine, begin } = conventionHarness();
    const { id } = await begin({ id: "tck-input-required" });
    expect(brief(await engine.cancel({ id }, here))).toBe("CANCELED");
  });
});

test("a follow-up to a task that has ended is refused", async () => {
  const { begin, send } = conventionHarness();
  const task = await begin({ id: "tck-complete-task" });
  expect((await refusal(send({ id: "tck-terminal", task }))).kind).toBe("UnsupportedOperation");
});
