import { expect, test } from "vitest";
import { ResetBudget } from "./reset-budget.ts";

test("calls may be reset now and then, and not all the time", () => {
  const budget = new ResetBudget();
  let now = 0;
  for (let second = 0; second < 60; second++, now += 1_000)
    for (let number = 0; number < 40; number++) expect(budget.spend("good", now)).toBe(true);
  const taken = Array.from({ length: 1_000 }, () => budget.spend("bad", now));
  expect(taken.indexOf(false)).toBeGreaterThan(400);
  expect(taken.at(-1)).toBe(false);
  expect([budget.admits("good", now), budget.admits("bad", now)]).toEqual([true, false]);
  expect(budget.spend("good", now)).toBe(true);
  expect(budget.admits("bad", now + 1_000)).toBe(true);
  expect(budget.spend("bad", now + 1_000)).toBe(true);
});
