import { expect } from "vitest";
import type { HostLimits, HostTurn, Politeness } from "./politeness.ts";

/** Opens the same state like another worker; the clock is the test's. */
export type OpenPoliteness = (limits: HostLimits, now: () => number) => Promise<Politeness>;

const lease = 60_000;
const waitOf = (turn: HostTurn): number => ("after" in turn ? turn.after : 0);

/** Test cases for politeness in any kind of database. Each begins with an empty one. */
export const politenessCases: readonly {
  readonly title: string;
  readonly run: (open: OpenPoliteness) => Promise<void>;
}[] = [
  {
    title: "examinations of one host begin an interval apart over all workers, and other hosts are not held up",
    async run(open) {
      let now = 1_000_000;
      const limits = { atOnce: 10, perSecond: 2 };
      const [here, there] = [await open(limits, () => now), await open(limits, () => now)];
      expect(waitOf(await here.turn("a.example", "1", lease))).toBe(0);
      // Each job gets its own time, and keeps it if it asks too early.
      expect(waitOf(await there.turn("a.example", "2", lease))).toBe(500);
      expect(waitOf(await here.turn("a.example", "3", lease))).toBe(1_000);
      expect(waitOf(await there.turn("a.example", "3", lease))).toBe(1_000);
      expect(waitOf(await there.turn("b.example", "4", lease))).toBe(0);
      now += 500;
      expect(waitOf(await here.turn("a.example", "2", lease))).toBe(0);
      // A late job begins at once, and its unused time is not saved up for others.
      now += 5_000;
      expect(waitOf(await here.turn("a.example", "3", lease))).toBe(0);
      expect(waitOf(await here.turn("a.example", "5", lease))).toBe(0);
      expect(waitOf(await here.turn("a.example", "6", lease))).toBe(500);
    },
  },
  {
    title: "no more of a host are under way at once than allowed, over all workers",
    async run(open) {
      let now = 1_000_000;
      const limits = { atOnce: 2, perSecond: 1_000 };
      const [here, there] = [await open(limits, () => now), await open(limits, () => now)];
      const first = await here.turn("a.example", "1", lease);
      now += 10;
      expect(waitOf(await there.turn("a.example", "2", lease))).toBe(0);
      now += 10;
      const full = waitOf(await there.turn("a.example", "3", lease));
      expect(full).toBeGreaterThan(0);
      now += full;
      expect(waitOf(await there.turn("a.example", "3", lease))).toBeGreaterThan(0);
      if ("leave" in first) await first.leave();
      now += 1_000;
      expect(waitOf(await here.turn("a.example", "3", lease))).toBe(0);
    },
  },
  {
    title: "a worker that died holds its turn no longer than its lease, and its job comes back to it at once",
    async run(open) {
      let now = 1_000_000;
      const politeness = await open({ atOnce: 1, perSecond: 1_000 }, () => now);
      expect(waitOf(await politeness.turn("a.example", "dead", lease))).toBe(0);
      now += 1_000;
      expect(waitOf(await politeness.turn("a.example", "other", lease))).toBeGreaterThan(0);
      expect(waitOf(await politeness.turn("a.example", "dead", lease))).toBe(0);
      now += lease + 1;
      expect(waitOf(await politeness.turn("a.example", "other", lease))).toBe(0);
    },
  },
];
