import type { JsonObject, Part } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { skipped } from "../../define/obstacle.ts";
import type { SendMore, Target } from "../../define/target.ts";
import type { Candidate } from "../../stimuli/candidates.ts";
import { learnedNote } from "./learned-note.ts";
import { type Lesson, learn } from "./learning.ts";

const completed = { id: "t", status: { state: "TASK_STATE_COMPLETED" } };
const asking = { id: "t", status: { state: "TASK_STATE_INPUT_REQUIRED" } };
const message = { messageId: "m", parts: [] };

/** An agent that answers each text as the table says, and refuses what is not in it; its tasks take no time. */
function agentWith(answers: Readonly<Record<string, JsonObject>>) {
  const said: string[] = [];
  const sent = (parts: readonly Part[]): Call => {
    const [part] = parts;
    const text = part!.text ?? `data ${(part!.data as JsonObject)["text"]}`;
    said.push(text);
    const json = answers[text];
    if (!json) throw skipped("prompt", "refused");
    return { operation: "SendMessage", reply: { is: "result", json }, exchange: { timing: { end: 5 } } } as never;
  };
  const target = {
    now: () => 0,
    taskTimeout: 1_000,
    observe: async () => {
      const call = sent([{ text: "plain" }]);
      const { task, message: direct } = (call.reply as never as { json: { task?: unknown; message?: unknown } }).json;
      const seen = task && { ...(task as object), state: (task as typeof completed).status.state };
      const lists = { artifacts: [], history: [] };
      return { call, message: direct, task: seen && { ...seen, ...lists }, last: seen && { ...seen, ...lists } };
    },
    send: async (_: string, { parts = [] }: SendMore) => sent(parts),
    call: async (): Promise<Call> =>
      ({ operation: "GetTask", reply: { is: "result", json: answers[said.at(-1)!]!["task"] } }) as never,
  } as unknown as Target;
  return { target, said };
}

const candidate = (text: string, ...hopedFor: Candidate["hopedFor"]): Candidate => ({
  parts: [{ text }],
  source: "plain",
  hopedFor,
});

const lesson = (more: Partial<Lesson>): Lesson => ({
  missing: [],
  stimuli: { task: { parts: [{ text: "plain" }], source: "plain" } },
  candidates: [],
  trials: 6,
  ...more,
});

test("data that comes to nothing is said as text from then on, where a text is answered", async () => {
  const failed = { task: { id: "t", status: { state: "TASK_STATE_FAILED" } } };
  const { target, said } = agentWith({ plain: failed, text: { task: completed }, count: { task: completed } });
  const data = (text: string, ...hopedFor: Candidate["hopedFor"]): Candidate => ({
    ...candidate(text, ...hopedFor),
    parts: [{ data: { text } }],
  });
  const stimuli = { task: { parts: [{ data: { text: "plain" } }], source: "plain" } } as const;
  const candidates = [candidate("text", "task"), data("count", "task", "slow")];
  const learned = await learn(target, lesson({ stimuli, missing: ["slow"], candidates }));
  expect(said).toEqual(["plain", "text", "count"]);
  expect(learnedNote(learned, ["slow"])).toMatch(/so Assay sends text from here on\.$/);
});

test("only what may show something that is missing is tried", async () => {
  const { target, said } = agentWith({ plain: { task: completed }, ask: { task: asking } });
  const candidates = [candidate("count", "task", "slow"), candidate("ask", "inputRequired"), candidate("no", "file")];
  const learned = await learn(target, lesson({ missing: ["inputRequired"], candidates }));
  expect(said).toEqual(["plain", "ask"]);
  expect(learned.map(({ shows }) => shows)).toEqual([["task"], ["inputRequired"]]);
});

test("an agent that answers with a message is asked for a task in other words, also where nothing else is missing", async () => {
  const { target, said } = agentWith({ plain: { message }, count: { task: completed } });
  const candidates = [candidate("refused", "task"), candidate("count", "task"), candidate("more", "task")];
  const learned = await learn(target, lesson({ candidates }));
  expect(said).toEqual(["plain", "refused", "count"]);
  expect(learned.map(({ answer }) => answer)).toEqual(["message", "nothing", "task"]);
});

test("no more is tried than was announced", async () => {
  const { target, said } = agentWith({ plain: { message } });
  const candidates = ["a", "b", "c"].map((text) => candidate(text, "task"));
  await learn(target, lesson({ candidates, trials: 1 }));
  expect(said).toEqual(["plain", "a"]);
});

test("an agent that does not take the plain message is asked nothing else", async () => {
  const { target, said } = agentWith({});
  expect(await learn(target, lesson({ missing: ["slow"], candidates: [candidate("count", "slow")] }))).toEqual([]);
  expect(said).toEqual(["plain"]);
});

test("what was learnt is told in a sentence", () => {
  const plain = { parts: [{ text: "OK?" }], source: "plain", answer: "task", tookMs: 2_040 } as const;
  const direct = { ...plain, parts: [{ data: { text: "OK?" } }], answer: "message", tookMs: 90 } as const;
  const learned = [
    { ...plain, shows: ["task", "slow"] as const },
    { ...direct, shows: ["message"] as const },
  ];
  expect(learnedNote(learned, ["inputRequired", "file"])).toMatchInlineSnapshot(
    `"Assay tried messages to find out which behaviour they trigger: "OK?" triggered a task in 2.0 s (slow); "{"data":{"text":"OK?"}}" triggered a message in 90 ms; no message triggered inputRequired, file (prompts in assay.yaml)."`,
  );
});
