import fc from "fast-check";
import { expect, test } from "vitest";
import { newSlot, RecencyOrder, type Slot, type WalkPosition } from "./recency.ts";

interface Place {
  readonly id: string;
  readonly time: number;
}

/** An order with tasks by id. */
class NamedOrder {
  readonly #versions = { latest: 0 };
  readonly order = new RecencyOrder(this.#versions);
  readonly #slots = new Map<string, Slot>();

  touch(id: string, time: number): void {
    this.remove(id);
    const slot = newSlot(id, time, this.#versions);
    this.#slots.set(id, slot);
    this.order.enter(slot);
  }

  remove(id: string): void {
    const slot = this.#slots.get(id);
    if (!slot) return;
    this.#slots.delete(id);
    slot.died = ++this.#versions.latest;
    this.order.leave(slot);
  }
}

/** The same order as a plain list, oldest first, and walks as copies of it. */
class NaiveOrder {
  places: Place[] = [];

  touch(id: string, time: number): void {
    this.remove(id);
    const later = this.places.findIndex((place) => place.time > time);
    this.places.splice(later < 0 ? this.places.length : later, 0, { id, time });
  }

  remove(id: string): void {
    this.places = this.places.filter((place) => place.id !== id);
  }

  newestFirst(): Place[] {
    return this.places.toReversed();
  }
}

/** A walk in both: the remaining tasks, and the position of the real one. */
interface Walk {
  readonly version: number;
  rest: Place[];
  position: WalkPosition | undefined;
}

const plain = (places: Iterable<Place>): Place[] => [...places].map(({ id, time }) => ({ id, time }));

const id = fc.integer({ min: 0, max: 30 }).map((number) => `t${number}`);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ is: fc.constant("touch" as const), id, late: fc.constantFrom(0, 0, 0, 1, 5, 500) }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant("remove" as const), id }) },
  { weight: 2, arbitrary: fc.constant({ is: "begin a walk" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant("go on" as const), which: fc.nat(), by: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant("storm" as const), touches: fc.integer({ min: 100, max: 3_000 }) }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs the steps on both orders and compares them after each. */
function play(steps: readonly Step[]): { finished: number; expired: number } {
  const named = new NamedOrder();
  const { order } = named;
  const naive = new NaiveOrder();
  const walks: Walk[] = [];
  const seen = { finished: 0, expired: 0 };
  let time = 1_000;
  const touch = (each: string, at: number) => {
    named.touch(each, at);
    naive.touch(each, at);
  };

  for (const each of steps) {
    time++;
    if (each.is === "touch") touch(each.id, time - each.late);
    else if (each.is === "remove") {
      named.remove(each.id);
      naive.remove(each.id);
    } else if (each.is === "storm") {
      // With walks in between: a place that none has seen is not kept.
      for (let n = 0; n < each.touches; n++) {
        touch(`t${(n * 7) % 31}`, time + (n >> 1));
        order.begin();
      }
      time += each.touches;
    } else if (each.is === "begin a walk") {
      walks.push({ version: order.begin(), rest: naive.newestFirst(), position: undefined });
    } else {
      const walk = walks[each.which % walks.length];
      if (!walk) continue;
      // A change takes at most two versions, so this many versions are some thousand changes.
      if (!order.remembers(walk.version)) {
        expect(order.begin() - walk.version).toBeGreaterThan(2_048);
        walks.splice(walks.indexOf(walk), 1);
        seen.expired++;
        continue;
      }
      const position = walk.position ?? { version: walk.version, time: Number.POSITIVE_INFINITY, id: "" };
      expect(plain(order.walk(position))).toEqual(walk.rest);
      const last = walk.rest[each.by - 1] ?? walk.rest.at(-1);
      walk.rest = walk.rest.slice(each.by);
      if (last) walk.position = { version: walk.version, ...last };
      if (walk.rest.length === 0) seen.finished++;
    }
    expect(plain(order.walk())).toEqual(naive.newestFirst());
    expect(order.size).toBe(naive.places.length);
  }
  return seen;
}

test("it orders, moves, forgets and walks like a plain list of which every walk has its own copy", () => {
  const total = { finished: 0, expired: 0 };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      const { finished, expired } = play(steps);
      total.finished += finished;
      total.expired += expired;
    }),
    { numRuns: 150 },
  );
  // Otherwise the steps above would not have tested what they are for.
  expect(total.finished).toBeGreaterThan(0);
  expect(total.expired).toBeGreaterThan(0);
});

test("a walk within the last thousand changes goes on, however many changes there were before", () => {
  const named = new NamedOrder();
  const { order } = named;
  for (let n = 0; n < 20_000; n++) {
    named.touch(`t${n % 10}`, n);
    order.begin();
  }
  const version = order.begin();
  const before = plain(order.walk());
  for (let n = 0; n < 1_000; n++) named.touch(`t${n % 5}`, 20_000 + n);
  expect(order.remembers(version)).toBe(true);
  expect(plain(order.walk({ version, ...before[0]! }))).toEqual(before.slice(1));
});
