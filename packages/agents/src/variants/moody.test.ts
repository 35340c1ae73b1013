import type { Task } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { InstantClock } from "../definition/fake-clock.fixture.ts";
import { type Skill, type SkillEvent, textOf } from "../definition/skill.ts";
import { moody } from "./moody.ts";

const conversation = (seed: number): Skill => moody.differs(seed).only!;

const message = (text: string) => ({ messageId: "m", role: "ROLE_USER" as const, parts: [{ text }] });

async function hear(skill: Skill, text: string, task?: Task): Promise<{ events: SkillEvent[]; ms: number }> {
  const clock = new InstantClock();
  const events: SkillEvent[] = [];
  const said = message(text);
  const turn = {
    message: said,
    argument: "",
    text: textOf(said),
    canceled: false,
    signal: new AbortController().signal,
    clock,
    relay: () => Promise.reject(new Error("asks nobody")),
    earlier: async () => [],
    ...(task ? { task } : {}),
  };
  for await (const event of skill.run(turn)) events.push(event);
  return { events, ms: clock.slept.reduce((sum, slept) => sum + slept, 0) };
}

const moods = async (seed: number, count = 60) => {
  const skill = conversation(seed);
  const all: Awaited<ReturnType<typeof hear>>[] = [];
  for (let n = 0; n < count; n++) all.push(await hear(skill, "Reply with the word OK."));
  return all;
};

const endOf = ({ events }: { events: SkillEvent[] }): string => {
  const last = events.at(-1)!;
  return last.is === "status" ? last.state : last.is;
};

describe("the same prompt, sixty times", () => {
  test("comes out the same for the same seed, and differently for another", async () => {
    expect(await moods(1)).toEqual(await moods(1));
    expect(await moods(1)).not.toEqual(await moods(2));
  });

  test("takes two to eight seconds each", async () => {
    const times = (await moods(1)).map(({ ms }) => ms);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(8_000.001);
    expect(new Set(times).size).toBeGreaterThan(50);
  });

  test.each([1, 2, 3])("is answered by a message, by a task, and by a question (seed %i)", async (seed) => {
    const ends = new Map<string, number>();
    for (const mood of await moods(seed)) ends.set(endOf(mood), (ends.get(endOf(mood)) ?? 0) + 1);
    expect([...ends.keys()].sort()).toEqual(["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED", "message"]);
    expect(Math.min(...ends.values())).toBeGreaterThanOrEqual(3);
  });

  test("always says OK, in changing words, and artifacts come in varying chunks", async () => {
    const said = (await moods(1)).map(({ events }) =>
      events
        .filter(({ is }) => is !== "status")
        .flatMap(({ parts }) => parts ?? [])
        .map(({ text }) => text)
        .join(""),
    );
    const answers = said.filter((text) => text !== "");
    expect(answers.filter((text) => !/\bOK\b/.test(text))).toEqual([]);
    expect(new Set(answers).size).toBeGreaterThan(2);
    const long = await Promise.all(
      Array.from({ length: 20 }, (_, seed) => seed).map((seed) =>
        hear(conversation(seed), "Tell me about tides, at some length"),
      ),
    );
    const chunks = long.map(({ events }) => events.filter(({ is }) => is === "artifact").length).filter(Boolean);
    expect(new Set(chunks).size).toBeGreaterThan(1);
  });
});

test("a follow-up always ends the task: it asks back once at most", async () => {
  const task = { id: "t", contextId: "c", status: { state: "TASK_STATE_INPUT_REQUIRED" } } as Task;
  for (let seed = 1; seed <= 30; seed++) {
    expect(endOf(await hear(conversation(seed), "the second", task))).toBe("TASK_STATE_COMPLETED");
  }
});

test("the chunks of an artifact make one text: the first is no append, the others are", async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const { events } = await hear(conversation(seed), "Tell me about tides");
    const chunks = events.filter((event) => event.is === "artifact");
    expect(chunks.map(({ append }) => append)).toEqual(chunks.map((_chunk, index) => index > 0));
    expect(chunks.filter(({ lastChunk }, index) => lastChunk && index < chunks.length - 1)).toEqual([]);
  }
});
