import { startTestbed } from "@assay/agents";
import { checks, permissions, ruleOf } from "@assay/suite";
import { afterAll, describe, expect, test } from "vitest";
import { plain } from "../testbed.case.ts";

/**
 * What the rules permit nobody may be accused of. Of the agents that make use of a permission the whole suite says
 * nothing bad (good-agents.test.ts, variants.test.ts); here it is seen that there are such agents.
 */

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
afterAll(() => bed.close(0));

const { variants } = await bed.families();
/** Those that good-agents.test.ts runs with all rules. */
const proven = ["spec", "full", "strict", "minimal", "echo", "secure", ...variants.map(({ id }) => `variants/${id}`)];

describe.each(Object.entries(permissions))("%s", (id, { shownBy }) => {
  test("is a rule that permits something, and that no check can find broken", () => {
    expect(ruleOf(id)?.level).toBe("MAY");
    expect(checks.some((check) => check.id === id)).toBe(false);
  });

  test("is used by agents of the test bed that are accused of nothing", async () => {
    expect(shownBy.length).toBeGreaterThan(0);
    expect(shownBy.filter((name) => !proven.includes(name))).toEqual([]);
    for (const name of shownBy) {
      expect((await plain(`${bed.url}/${name}/.well-known/agent-card.json`)).status).toBe(200);
    }
  });
});
