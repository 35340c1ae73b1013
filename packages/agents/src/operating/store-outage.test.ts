import { DatabaseUnavailable } from "@assay/storage";
import { expect, test, vi } from "vitest";
import { type OutageNotice, StoreOutage } from "./store-outage.ts";

const full = new DatabaseUnavailable("tasks.db: database or disk is full (SQLITE_FULL)");

test("each outage is logged once when it begins and once when it ends", () => {
  let now = 0;
  const told: OutageNotice[] = [];
  const outage = new StoreOutage({ onOutage: (each) => told.push(each) }, () => now);
  outage.worked();
  for (now = 1_000; now <= 9_000; now += 1_000) {
    expect(outage.saw(full)).toBe(true);
    // A small write may succeed where a large one does not.
    outage.worked();
  }
  expect(told).toEqual([{ is: "begun", reason: full.message }]);
  now = 14_000;
  outage.worked();
  outage.worked();
  outage.saw(full);
  expect(told.slice(1)).toEqual([
    { is: "over", ms: 8_000 },
    { is: "begun", reason: full.message },
  ]);
});

test("without a listener an outage is one error, and other errors pass through", () => {
  const onError = vi.fn();
  const outage = new StoreOutage({ onError }, () => 0);
  expect([outage.saw(full), outage.saw(full), outage.saw(new Error("a fault of ours"))]).toEqual([true, true, false]);
  expect(onError.mock.calls).toEqual([[full]]);
});
