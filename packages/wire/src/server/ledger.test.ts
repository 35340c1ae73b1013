import { describe, expect, test } from "vitest";
import { BudgetExceeded, Holding, Ledger } from "./ledger.ts";

const code = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof BudgetExceeded) return error.code;
    throw error;
  }
};

/** A ledger on which this much of each account's charges can be let go, ten bytes at a time. */
function lending(budgets: { total: number; caller: number }, kept: Record<string, number>) {
  const ledger = new Ledger(budgets);
  for (const [account, bytes] of Object.entries(kept)) ledger.add(account, bytes);
  ledger.reclaims((account) => {
    if (!(kept[account]! >= 10)) return false;
    kept[account]! -= 10;
    ledger.release(account, 10);
    return true;
  });
  return { ledger, kept };
}

describe("a caller", () => {
  test("has its budget to the byte, and what is refused is not charged", () => {
    const ledger = new Ledger({ total: 1_000, caller: 100 });
    ledger.charge("a", 60);
    expect(code(() => ledger.charge("a", 41))).toBe("caller-budget");
    expect([ledger.of("a"), ledger.total]).toEqual([60, 60]);
    ledger.charge("a", 40);
    ledger.charge("b", 100);
    ledger.release("a", 100);
    expect([ledger.of("a"), ledger.of("b"), ledger.total]).toEqual([0, 100, 100]);
  });

  test("gives up what it need not keep before it is refused, and nobody else does", () => {
    const { ledger, kept } = lending({ total: 1_000, caller: 100 }, { a: 90, b: 90 });
    ledger.charge("a", 30);
    expect([kept, ledger.of("a")]).toEqual([{ a: 70, b: 90 }, 100]);
    expect(code(() => ledger.charge("a", 80))).toBe("caller-budget");
    expect(kept).toEqual({ a: 0, b: 90 });
  });

  test("gives up nothing for what can never fit", () => {
    const { ledger, kept } = lending({ total: 1_000, caller: 100 }, { a: 90 });
    expect(code(() => ledger.charge("a", 101))).toBe("caller-budget");
    expect(kept).toEqual({ a: 90 });
  });

  test("may be charged beyond its budget for what has to be held, and is refused the rest", () => {
    const ledger = new Ledger({ total: 1_000, caller: 100 });
    ledger.add("a", 150);
    expect([ledger.of("a"), code(() => ledger.charge("a", 1))]).toEqual([150, "caller-budget"]);
  });
});

describe("all together", () => {
  test("those who hold much leave a quarter to those who hold little", () => {
    const ledger = new Ledger({ total: 400, caller: 160 });
    ledger.charge("a", 160);
    ledger.charge("b", 130);
    expect(code(() => ledger.charge("c", 11))).toBe("total-budget");
    for (const little of ["c", "d", "e"]) ledger.charge(little, 10);
    expect([ledger.total, code(() => ledger.charge("c", 1))]).toEqual([320, "total-budget"]);
  });

  test("who holds most gives up first, and those who hold little only for each other", () => {
    const { ledger, kept } = lending({ total: 400, caller: 160 }, { a: 150, b: 120, c: 10 });
    ledger.charge("d", 60);
    expect(kept).toEqual({ a: 110, b: 120, c: 10 });
    expect(code(() => ledger.charge("e", 160))).toBeUndefined();
    expect(kept).toEqual({ a: 70, b: 0, c: 10 });
    expect(code(() => ledger.charge("f", 160))).toBe("total-budget");
    expect(kept).toEqual({ a: 0, b: 0, c: 10 });
  });
});

test("a thing that several callers have added to is let go of as a whole", () => {
  const ledger = new Ledger({ total: 1_000, caller: 100 });
  const holding = new Holding(ledger, "a");
  holding.charge(50);
  holding.charge(20, "b");
  holding.add(90);
  expect([ledger.of("a"), ledger.of("b")]).toEqual([140, 20]);
  expect(code(() => holding.charge(81, "b"))).toBe("caller-budget");
  holding.release();
  holding.release();
  expect([ledger.of("a"), ledger.of("b"), ledger.total]).toEqual([0, 0, 0]);
});
