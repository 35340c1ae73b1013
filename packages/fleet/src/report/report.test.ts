import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import schema from "../../schemas/fleet-report.json" with { type: "json" };
import { agentClasses } from "../classes/agent-class.ts";
import { sourceOf, verdict, verdictsNow, without } from "../site/fleet.fixture.ts";
import { changeKinds, changesBetween } from "./changes.ts";
import { fleetReport } from "./make.ts";
import { fleetMarkdown } from "./markdown.ts";
import { changeText } from "./report-text.ts";
import { fleetStatus } from "./status.ts";

const report = await fleetReport(sourceOf(), { version: "1.2.3" });

test("the best come first, and what is not known does not count", () => {
  expect(report.agents.map(({ agent, place }) => `${place} ${agent}`)).toEqual([
    "1 risen",
    "2 good",
    "3 newcomer",
    "4 faulty",
    "5 dead",
    "6 shy",
  ]);
  expect(report.classes).toEqual({ working: 3, "rules-broken": 1, unreachable: 1, "opted-out": 1 });
});

test("what changed since the last sweep, the worst first", () => {
  expect(report.changes.map(({ kind, agent }) => `${kind} ${agent}`)).toEqual([
    "regressed dead",
    "regressed faulty",
    "recovered risen",
    "level-fell good",
    "changed shy",
    "new newcomer",
    "gone lost",
  ]);
});

test("what could not be looked at is no regression, and an unfinished sweep has lost none", () => {
  const kinds = (now: Parameters<typeof changesBetween>[1], isWhole = true): string[] =>
    changesBetween([verdict("a")], now, { isWhole }).map(({ kind }) => kind);
  for (const named of ["not-examined", "refused-by-guard", "opted-out"] as const)
    expect(kinds([without("a", { class: named })])).toEqual(["changed"]);
  expect(kinds([without("a", { class: "timed-out" })])).toEqual(["regressed"]);
  expect(kinds([], false)).toEqual([]);
  expect(kinds([verdict("a", { level: null })])).toEqual([]);
});

test("other broken rules are a change, and neither better nor worse: another look may find more", () => {
  const faulty = (broken: string[]) => [verdict("a", { class: "rules-broken", broken })];
  const change = (before: string[], now: string[]) =>
    changesBetween(faulty(before), faulty(now), { isWhole: true }).map((each) => `${each.kind}: ${changeText(each)}`);
  expect(change(["A"], ["B", "C"])).toEqual(["changed: now breaks B, C; no longer breaks A"]);
  expect(change(["A"], ["A"])).toEqual([]);
});

test("the commonest failures, with what their rules ask; and by SDK", () => {
  expect(report.failures).toMatchObject([
    { rule: "ERR-020", agents: 1, title: "the title of ERR-020", examples: ["faulty"] },
  ]);
  expect(report.reasons).toMatchObject([{ class: "unreachable", code: "refused", agents: 1, remedy: "Start it." }]);
  expect(report.builtWith).toEqual([
    {
      name: "a2a-python",
      agents: 2,
      classes: { working: 1, "rules-broken": 1 },
      failure: { rule: "ERR-020", agents: 1 },
    },
  ]);
});

test("names which fleets there are where it is not clear whose report it is", async () => {
  const source = sourceOf();
  const two = {
    ...source,
    sweeps: async () => [...(await source.sweeps()), { ...(await source.sweeps())[0]!, fleet: "other" }],
  };
  await expect(fleetReport(two, { version: "1" })).rejects.toThrow("several fleets: registry, other");
  await expect(fleetReport({ ...source, sweeps: async () => [] }, { version: "1" })).rejects.toThrow(
    "no fleet was swept yet",
  );
  await expect(fleetReport(source, { version: "1", sweep: "s9" })).rejects.toThrow("no sweep s9");
});

test("as Markdown", () => {
  expect(fleetMarkdown(report)).toMatchInlineSnapshot(`
    "# registry: 3 of 6 agents work without a broken rule

    swept 2026-11-16 02:00 UTC, 6 agents; 2 rules examined of each agent that could be.

    | class | agents |
    | --- | --- |
    | working | 3 |
    | works, rules broken | 1 |
    | unreachable | 1 |
    | opted out | 1 |

    ## Since 2026-11-15

    - regressed: \`dead\` working (partial) → unreachable
    - regressed: \`faulty\` working (partial) → works, rules broken (minimal)
    - recovered: \`risen\` unreachable → working (full)
    - level fell: \`good\` working (full) → working (partial)
    - changed: \`shy\` working (partial) → opted out
    - new: \`newcomer\` working (partial)
    - gone: \`lost\` working (partial)

    ## The commonest failures

    | agents | rule | asks | remedy |
    | --- | --- | --- | --- |
    | 1 | ERR-020 | the title of ERR-020 |  |

    ## Why others are not called working

    | agents | class | reason | remedy |
    | --- | --- | --- | --- |
    | 1 | unreachable | \`refused\` | Start it. |

    ## By SDK

    | built with | agents | working | most common failure |
    | --- | --- | --- | --- |
    | a2a-python | 2 | 1 | ERR-020 (1) |

    ## League

    |  | agent | class | level | examined | to do |
    | --- | --- | --- | --- | --- | --- |
    | 1 | \`risen\` | working | full | 2 of 3 |  |
    | 2 | \`good\` | working | partial | 2 of 3 |  |
    | 3 | \`newcomer\` | working | partial | 2 of 3 |  |
    | 4 | \`faulty\` | works, rules broken | minimal | 2 of 3 | 1 rule broken |
    | 5 | \`dead\` | unreachable |  |  | No connection. |
    | 6 | \`shy\` | opted out |  |  | It opted out. |

    "
  `);
});

test("the first sweep is compared with nothing", async () => {
  const first = await fleetReport(sourceOf(verdictsNow, []), { version: "1" });
  expect([first.comparedWith, first.changes, fleetMarkdown(first).includes("Since")]).toEqual([undefined, [], false]);
});

test("where a fleet is: its last sweep, the open ones, what waits", async () => {
  const source = sourceOf();
  const [last, before] = await source.sweeps();
  const { endedAt: _, ...open } = last!;
  const [status] = await fleetStatus({ ...source, sweeps: async () => [{ ...open, agents: 10 }, before!] });
  expect(status).toMatchObject({
    fleet: "registry",
    last: { sweep: "s1" },
    running: [{ sweep: "s2", settled: 6, waiting: 4, lastVerdict: "2026-11-16T02:03:00.000Z" }],
    agents: 6,
    classes: { working: 3 },
  });
});

test("the document is what its schema says, and the schema knows every word", () => {
  const isReport = new Ajv2020({ strict: true, strictTypes: false }).compile(schema);
  expect(isReport(JSON.parse(JSON.stringify(report))), JSON.stringify(isReport.errors)).toBe(true);
  expect(isReport({ ...report, version: 2 })).toBe(false);
  expect(schema.$defs.class.enum).toEqual(agentClasses);
  expect(schema.$defs["change-kind"].enum).toEqual(changeKinds);
});
