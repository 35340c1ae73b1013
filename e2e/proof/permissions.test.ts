import { startTestbed } from "@assay/agents";
import { checks, permissions, ruleOf } from "@assay/suite";
import { afterAll, describe, expect, test } from "vitest";
import { Subject } from "../fixtures/subject.fixture.ts";
import { uses } from "./permission-uses.fixture.ts";

/**
 * What the rules permit nobody may be accused of. Of the agents that make use of a permission the whole suite says
 * nothing bad (good-agents.test.ts, variants.test.ts); here it is seen that they do make use of it.
 */

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.02 });
afterAll(() => bed.close(0));

const { variants } = await bed.families();
/** Those that good-agents.test.ts and variants.test.ts run with all rules, and what each is made from. */
const proven = new Map([
  ...["spec", "full", "strict", "minimal", "echo", "secure"].map((path) => [path, path] as const),
  ...variants.map(({ id, base }) => [`variants/${id}`, base] as const),
]);

describe.each(Object.entries(permissions))("%s", (id, { shownBy }) => {
  test("is a rule that permits something, and that no check can find broken", () => {
    expect(ruleOf(id)?.level).toBe("MAY");
    expect(checks.some((check) => check.id === id)).toBe(false);
  });

  test("has a request on which its use shows, at each of the agents that are said to use it", () => {
    expect(shownBy.length).toBeGreaterThan(0);
    expect(shownBy.filter((name) => !proven.has(name))).toEqual([]);
    expect(Object.keys(uses[id]?.seen ?? {}).toSorted()).toEqual(shownBy.toSorted());
  });

  test.each(shownBy)("is used by /%s", async (name) => {
    const { see, seen } = uses[id]!;
    expect(await see(new Subject(bed.url, name, proven.get(name)!))).toEqual(seen[name]);
  });
});

test("nothing is said to be used that is no permission", () => {
  expect(Object.keys(uses).filter((id) => !permissions[id])).toEqual([]);
});
