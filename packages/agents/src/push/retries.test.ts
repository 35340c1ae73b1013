import { describe, expect, test } from "vitest";
import type { PostResult } from "../definition/layers.ts";
import { defaultRetries, pauseAfter } from "./retries.ts";

const noon = Date.parse("2026-11-16T12:00:00.000Z");
const busy: PostResult = { status: 503 };
const after = (attempt: number, more: Partial<Parameters<typeof pauseAfter>[0]> = {}, policy = defaultRetries) =>
  pauseAfter({ attempt, result: busy, elapsedMs: 0, now: noon, chance: 1, ...more }, policy);

describe("the pause before the next attempt", () => {
  test("grows, up to a bound, and ends with the attempts", () => {
    const many = { attempts: 7, withinMs: 600_000 };
    const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempt) => after(attempt, {}, many));
    expect(pauses).toEqual([500, 2_000, 8_000, 20_000, 20_000, 20_000, undefined]);
  });

  test("is left to chance by half", () => {
    expect([0, 0.5, 1].map((chance) => after(2, { chance }))).toEqual([1_000, 1_500, 2_000]);
  });

  test("a pause never exceeds the time that is left for the notification", () => {
    const policy = { attempts: 5, withinMs: 10_000 };
    expect([after(3, { elapsedMs: 2_000 }, policy), after(3, { elapsedMs: 2_001 }, policy)]).toEqual([
      8_000,
      undefined,
    ]);
  });

  test.each<[string, string, number | undefined]>([
    ["in seconds", "7", 7_000],
    ["less than ours", "0", 500],
    ["by a date", "Mon, 16 Nov 2026 12:00:30 GMT", 30_000],
    ["by a date that is over", "Mon, 16 Nov 2026 11:00:00 GMT", 500],
    ["as nonsense", "soon", 500],
    ["longer than there is time", "3600", undefined],
  ])("is the one that the webhook asks for, %s", (_how, retryAfter, pause) => {
    expect(after(1, { result: { status: 429, retryAfter } })).toBe(pause);
  });
});

describe("there is no next attempt", () => {
  test.each<[string, PostResult]>([
    ["a refusal", { status: 400 }],
    ["a login", { status: 401 }],
    ["a webhook that is gone", { status: 410 }],
    ["a redirect", { status: 307 }],
    ["an address that is off limits", { failure: "refused-by-guard", final: true }],
  ])("after %s", (_what, result) => {
    expect(after(1, { result })).toBe(undefined);
  });

  test("where one attempt is all", () => {
    expect(after(1, {}, { attempts: 1, withinMs: 60_000 })).toBe(undefined);
  });
});
