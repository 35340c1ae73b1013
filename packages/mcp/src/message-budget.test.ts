import { expect, test } from "vitest";
import { MessageBudget } from "./message-budget.ts";

const budget = () => new MessageBudget({ callBudget: 10, totalBudget: 15 });

test("a call gets what it wants, at most the limit of one call", () => {
  expect(budget().reserve(4).messages).toBe(4);
  expect(budget().reserve(40).messages).toBe(10);
  expect(budget().reserve().messages).toBe(10);
});

test("calls at the same time share the total, and unsent messages go back", () => {
  const shared = budget();
  const first = shared.reserve();
  expect(shared.reserve().messages).toBe(5);
  expect(() => shared.reserve(1)).toThrow("The message budget of this session is used up (15 messages).");
  first.settle(3);
  expect(shared.left).toBe(7);
});

test("a call that sends more than it reserved is charged for it", () => {
  const shared = budget();
  shared.reserve().settle(12);
  expect(shared.reserve().messages).toBe(3);
});

test("a call without messages needs no budget", () => {
  const shared = budget();
  shared.reserve().settle(15);
  expect(shared.reserve(0).messages).toBe(0);
});
