import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { looseTask } from "../answers/reading.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import { broughtAbout, withLearned } from "./brought-about.ts";
import type { LearnedPrompt } from "./learned.ts";
import type { Stimulus } from "./prompts.ts";

const plain: Stimulus = { parts: [{ text: "OK?" }], source: "plain" };

const outcome = (task: JsonObject | undefined, tookMs = 20) =>
  broughtAbout({ stimulus: plain, isMessage: !task, task: looseTask(task), tookMs });

const taskIn = (state: string, more: JsonObject = {}): JsonObject => ({ id: "t", status: { state }, ...more });

test.each<[string, JsonObject | undefined, number, PromptKind[]]>([
  ["a message", undefined, 20, ["message"]],
  ["a message that took its time", undefined, 5_000, ["message"]],
  ["a task that is done at once", taskIn("TASK_STATE_COMPLETED"), 20, ["task"]],
  ["a task that runs for two seconds", taskIn("TASK_STATE_COMPLETED"), 2_000, ["task", "slow"]],
  ["a task that is still at work", taskIn("TASK_STATE_WORKING"), 60_000, ["task", "slow"]],
  ["a question", taskIn("TASK_STATE_INPUT_REQUIRED"), 2_000, ["inputRequired"]],
  ["a login", taskIn("TASK_STATE_AUTH_REQUIRED"), 20, ["authRequired"]],
  ["a task that fails", taskIn("TASK_STATE_FAILED"), 2_000, ["failure"]],
  [
    "artifacts with a file and data",
    taskIn("TASK_STATE_COMPLETED", { artifacts: [{ parts: [{ url: "https://a.test/b.pdf" }, { data: { n: 1 } }] }] }),
    20,
    ["task", "file", "fileUrl", "data"],
  ],
])("what a prompt is good for that brought about %s", (_, task, tookMs, shows) => {
  expect(outcome(task, tookMs).shows).toEqual(shows);
});

test("a refused prompt is good for nothing", () => {
  const refused = broughtAbout({ stimulus: plain, isMessage: false, task: undefined, tookMs: 3 });
  expect(refused).toMatchObject({ answer: "nothing", shows: [] });
});

const learned = (text: string, tookMs: number, ...shows: PromptKind[]): LearnedPrompt => ({
  parts: [{ text }],
  source: "plain",
  answer: shows.includes("message") ? "message" : "task",
  tookMs,
  shows,
});

const textFor = (kind: PromptKind, stimuli: ReturnType<typeof withLearned>) => stimuli[kind]?.parts[0]?.text;

test.each<[string, number, number]>([
  ["the quickest that takes 2 s, before a quicker one", 300, 6_900],
  ["the slowest, where none takes 2 s", 400, 1_500],
])("of several that are slow, the prompt is %s", (_, quick, long) => {
  const all = [learned("long", long, "task", "slow"), learned("quick", quick, "task", "slow")];
  expect(textFor("slow", withLearned({ task: plain }, all))).toBe("long");
});

test("what was learnt fills the gaps, and of several that take 2 s the quickest", () => {
  const all = [learned("a", 9_000, "task", "slow"), learned("b", 2_000, "task", "slow"), learned("c", 5, "message")];
  const stimuli = withLearned({ task: plain, message: { ...plain, source: "skill" } }, all);
  expect(textFor("slow", stimuli)).toBe("b");
  expect(textFor("message", stimuli)).toBe("OK?");
});

test("a task of less than 2 s counts as slow only where another one can be tried", () => {
  const slowAfter = (tookMs: number, triesOnce: boolean) =>
    textFor("slow", withLearned({ task: plain }, [learned("a", tookMs, "task", "slow")], { triesOnce }));
  expect(slowAfter(1_999, false)).toBe("a");
  expect(slowAfter(1_999, true)).toBeUndefined();
  expect(slowAfter(2_000, true)).toBe("a");
});

test("the plain message gives way to one that makes a task, and what the operator wrote does not", () => {
  const all = [learned("a", 5, "message"), learned("b", 5, "task")];
  expect(textFor("task", withLearned({ task: plain }, all))).toBe("b");
  expect(textFor("task", withLearned({ task: { ...plain, source: "operator" } }, all))).toBe("OK?");
});

const asData = ({ parts, ...more }: LearnedPrompt): LearnedPrompt => ({
  ...more,
  parts: parts.map(({ text }) => ({ data: { text: text! } })),
});

test("where data came to nothing and a text was answered, all but what the operator wrote is said as text", () => {
  const data = (text: string, source: Stimulus["source"]): Stimulus => ({ parts: [{ data: { text } }], source });
  const known = { task: data("OK?", "plain"), stream: data("OK?", "plain"), slow: data("wait", "operator") };
  const inVain = asData(learned("OK?", 5, "failure"));
  const stimuli = withLearned(known, [inVain, learned("OK?", 5, "task")]);
  expect(stimuli.task?.parts).toEqual([{ text: "OK?" }]);
  expect(stimuli.stream?.parts).toEqual([{ text: "OK?" }]);
  expect(stimuli.slow).toEqual(known.slow);
  expect(withLearned(known, [asData(learned("OK?", 5, "task"))]).stream).toEqual(known.stream);
  expect(withLearned(known, [inVain, learned("OK?", 5, "failure")]).stream).toEqual(known.stream);
});
