import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RecentMap, RecentSet } from "./recent.ts";

const large = "x".repeat(100_000);

describe("what is kept in mind", () => {
  test("is the latest, by bytes", () => {
    const map = new RecentMap<string>();
    for (let n = 0; n < 8; n++) map.set(`k${n}`, large);
    expect([...map.keys()]).toEqual(["k3", "k4", "k5", "k6", "k7"]);
    for (let n = 0; n < 1_000; n++) map.set("same", large);
    expect([...map.keys()]).toEqual(["k4", "k5", "k6", "k7", "same"]);
  });

  test("does not hold what is too large for it", () => {
    const map = new RecentMap<string>().set("a", "b");
    map.set("large", large.repeat(10));
    expect(map.size).toBe(0);
    map.set("a", "b");
    expect(map.get("a")).toBe("b");
  });

  test("counts what a promise comes to", async () => {
    const map = new RecentMap<Promise<string>>();
    for (let n = 0; n < 8; n++) map.set(`k${n}`, Promise.resolve(large));
    map.set("refused", Promise.reject(new Error("no")));
    expect(map.size).toBe(9);
    await Promise.allSettled(map.values());
    await Promise.resolve();
    expect([...map.keys()]).toEqual(["k3", "k4", "k5", "k6", "k7", "refused"]);
  });

  test("and a set keeps the places of those it knows", () => {
    const set = new RecentSet();
    for (const member of ["a", "b", "a"]) set.add(member);
    set.delete("b");
    expect([[...set], set.has("a"), set.has("b")]).toEqual([["a"], true, false]);
  });
});

test("mutants and variants keep nothing in mind without a bound", () => {
  const folders = ["mutants", "variants"].map((name) => join(import.meta.dirname, "..", name));
  const unbounded = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => !name.includes(".test."))
      .filter((name) => /new (Map|Set)<|: string\[\] = \[\];/.test(readFileSync(join(folder, name), "utf8"))),
  );
  // These hold a limited part of a stream or the calls that are under way, and release it when they end.
  expect(unbounded).toEqual(["at-once.ts", "faults.ts", "stream-updates.ts"]);
});
