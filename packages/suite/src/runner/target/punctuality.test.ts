import { expect, onTestFinished, test, vi } from "vitest";
import { Punctuality } from "./punctuality.ts";

/** Waits once, and says how long it would have. */
async function waited(agent: Punctuality, comes: boolean, place = "here"): Promise<number> {
  return agent.wait(
    "close",
    place,
    async (ms) => ms,
    () => comes,
  );
}

function quickAgent(): Punctuality {
  const agent = new Punctuality(undefined);
  for (let call = 0; call < 20; call++) agent.answered(12);
  return agent;
}

test("half a minute, from an agent of which nothing is known or that is slow", async () => {
  expect(await waited(new Punctuality(undefined), false)).toBe(30_000);
  const slow = new Punctuality(undefined);
  for (let call = 0; call < 20; call++) slow.answered(call % 2 ? 10 : 2_000);
  expect(await waited(slow, false)).toBe(30_000);
});

test("less, from one that answers quickly", async () => {
  expect(await waited(quickAgent(), false)).toBe(15_000);
});

test("less still for what is asked for again and again, and half a minute from a slow one", async () => {
  const asked = (agent: Punctuality) =>
    agent.wait(
      "list",
      "here",
      async (ms) => ms,
      () => false,
    );
  expect(await asked(quickAgent())).toBe(8_000);
  expect(await asked(new Punctuality(undefined))).toBe(30_000);
});

test("no less, however often it came at once: the first accusation rests on a long wait", async () => {
  const agent = quickAgent();
  for (let time = 0; time < 10; time++) await waited(agent, true);
  expect(await waited(agent, false)).toBe(15_000);
});

test("a few seconds, once it was waited for in vain", async () => {
  const agent = quickAgent();
  await waited(agent, false);
  expect(await waited(agent, false)).toBe(5_000);
});

test("many times as long as it took when it came late", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const agent = quickAgent();
  const late = async (ms: number) => {
    vi.advanceTimersByTime(800);
    return ms;
  };
  const wait = () => agent.wait("notify", "", late, () => true);
  expect(await wait()).toBe(15_000);
  expect(await wait()).toBe(16_000);
});

test("what is due elsewhere, or another thing, is a matter of its own", async () => {
  const agent = quickAgent();
  await waited(agent, false);
  expect(await waited(agent, false, "there")).toBe(15_000);
  expect(
    await agent.wait(
      "notify",
      "here",
      async (ms) => ms,
      () => false,
    ),
  ).toBe(15_000);
});

test("what the operator says holds, whatever was seen", async () => {
  const agent = new Punctuality(60_000);
  for (let call = 0; call < 20; call++) agent.answered(12);
  for (let time = 0; time < 5; time++) expect(await waited(agent, time > 0)).toBe(60_000);
});
