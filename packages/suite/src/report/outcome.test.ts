import { describe, expect, test } from "vitest";
import type { ConformanceLevel, ConformanceOutcome } from "./document.ts";
import type { AgentFound, LifecycleAnswer, RunEvent, RunFinished, RunStarted } from "./events.ts";
import { foldRun } from "./fold.ts";
import { exitCodeOf, type RunExitCode } from "./gate.ts";
import type { ConformanceResult, InterfaceName } from "./result.ts";
import { basics, checked, finished, found, grpc, jsonrpc, rest, result, started } from "./run.fixture.ts";
import type { Unexamined } from "./verdict.ts";

/** What happened in a run, as far as it is not the plain case: everything asked for, a task that completed, nothing broken. */
interface RunStory {
  readonly results?: readonly ConformanceResult[];
  readonly answers?: readonly LifecycleAnswer[];
  readonly ending?: Partial<RunFinished>;
  readonly started?: Partial<RunStarted>;
  readonly found?: Partial<AgentFound>;
  readonly cutOff?: true;
}

function runWith({
  results = basics,
  answers = ["completed"],
  ending,
  started: head,
  found: agent,
  cutOff,
}: RunStory): RunEvent[] {
  return [
    { ...started, ...head },
    { ...found, ...agent },
    ...answers.map((answer): RunEvent => ({ event: "lifecycle-seen", interface: jsonrpc, answer })),
    ...checked(results),
    ...(cutOff ? [] : [{ ...finished, ...ending }]),
  ];
}

const fails = (id: string, about: Partial<ConformanceResult> = {}) =>
  result(id, { verdict: "fail", interface: jsonrpc, ...about });
const on = (where: InterfaceName, id: string, about: Partial<ConformanceResult> = {}) =>
  result(id, { interface: where, ...about });
const blocked = (where: InterfaceName, id: string, rootCause: string) =>
  on(where, id, { verdict: "blocked", rootCause });
const card = basics[0]!;
const unsent = result("SEND-001", { verdict: "not-examined", unexamined: "unstable", message: "HTTP 503, 7 times" });
const untestable = (where: InterfaceName, unexamined: Unexamined = "egress") =>
  ["CARD-016", "SEND-001"].map((id) => on(where, id, { verdict: "not-examined", unexamined }));
const twoVersions: AgentFound["dialects"] = [
  { dialect: "1.0", because: "its card", declared: true },
  { dialect: "0.3", because: "its card", declared: true },
];
const of03 = (id: string, about: Partial<ConformanceResult> = {}) => result(id, { dialect: "0.3", ...about });
const basics03 = [of03("CARD-001", { category: "agent-card" }), of03("SEND-001")];
const withoutPush = { capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false } };

type Row = [
  what: string,
  run: RunStory,
  outcome: ConformanceOutcome,
  level: ConformanceLevel | null,
  exit: RunExitCode,
];

describe("a run that could not begin", () => {
  test.each<Row>([
    ...(["unreachable", "egress-refused", "no-card", "login-required", "payment-required"] as const).map(
      (ending): Row => [ending, { results: [], answers: [], ending: { ending } }, "inconclusive", null, 2],
    ),
    [
      "the card lists no interface",
      { results: [card], answers: [], ending: { ending: "no-interface" } },
      "not-conformant",
      "non-conformant",
      1,
    ],
    [
      "no interface can be contacted, or all have bindings of their own",
      { results: [card], answers: [], ending: { ending: "no-usable-interface" } },
      "inconclusive",
      null,
      2,
    ],
    [
      "no interface can be contacted, and what was asked for broke down on the way",
      {
        results: [on(jsonrpc, "SEND-001", { verdict: "error" })],
        answers: [],
        ending: { ending: "no-usable-interface" },
      },
      "inconclusive",
      null,
      2,
    ],
  ])("%s", expectRow);
});

describe("interfaces", () => {
  const alive = [card, on(rest, "CARD-016"), on(rest, "SEND-001")];
  const dead = [on(jsonrpc, "CARD-016", { verdict: "fail" }), blocked(jsonrpc, "SEND-001", "CARD-016")];
  test.each<Row>([
    [
      "every one answers something else",
      { results: [card, ...dead], answers: [] },
      "not-conformant",
      "non-conformant",
      1,
    ],
    ["one of several does", { results: [...alive, ...dead] }, "not-conformant", "partial", 1],
    ["one is refused by our guard", { results: [...alive, ...untestable(grpc)] }, "conformant", "partial", 0],
    ["one turns everybody away", { results: [...alive, ...untestable(grpc, "unstable")] }, "inconclusive", null, 2],
    [
      "one turns everybody away, and little was asked for",
      { results: [...alive, ...untestable(grpc, "unstable")], started: { depth: "free" } },
      "inconclusive",
      null,
      2,
    ],
    [
      "one is beyond a filter, and none of its rules was asked for",
      { results: [...alive, on(grpc, "CARD-016", { verdict: "not-examined", unexamined: "filter" })] },
      "conformant",
      "partial",
      0,
    ],
    [
      "one may not see our credentials",
      { found: { leftOut: [{ interface: grpc, because: "another port", forced: true, withheld: true }] } },
      "conformant",
      "partial",
      0,
    ],
    [
      "one has a binding that we do not speak",
      { found: { leftOut: [{ interface: grpc, because: "not spoken", forced: true }] } },
      "conformant",
      "partial",
      0,
    ],
    [
      "one was left out by the operator",
      { found: { leftOut: [{ interface: grpc, because: "excluded by --binding" }] } },
      "conformant",
      "full",
      0,
    ],
  ])("%s", expectRow);
});

describe("what was found", () => {
  test.each<Row>([
    ["a rule beyond the core is broken", { results: [...basics, fails("LIST-003")] }, "not-conformant", "partial", 1],
    ["a rule of the core is broken", { results: [...basics, fails("HIST-001")] }, "not-conformant", "minimal", 1],
    [
      "a broken rule holds up others",
      { results: [...basics, fails("LIST-003"), blocked(jsonrpc, "LIST-004", "LIST-003")] },
      "not-conformant",
      "partial",
      1,
    ],
    ["sending is broken", { results: [card, fails("SEND-001")], answers: [] }, "not-conformant", "non-conformant", 1],
    [
      "the card is not valid",
      { results: [fails("CARD-004", { category: "agent-card" })] },
      "not-conformant",
      "non-conformant",
      1,
    ],
    [
      "every failure stands in the baseline",
      { results: [...basics, fails("LIST-003", { expected: "fixed next month" })] },
      "not-conformant",
      "partial",
      0,
    ],
    [
      "one failure does not stand in the baseline",
      { results: [...basics, fails("LIST-003", { expected: "fixed next month" }), fails("LIST-004")] },
      "not-conformant",
      "partial",
      1,
    ],
    [
      "only warnings",
      { results: [...basics, result("CACHE-001", { level: "SHOULD", warning: "slow" })] },
      "conformant",
      "full",
      0,
    ],
    [
      "only a disputed failure",
      { results: [...basics, fails("LIST-003", { disputed: true })] },
      "conformant",
      "full",
      0,
    ],
    [
      "only a failure in a version that is not declared",
      {
        results: [...basics, of03("LIST-003", { verdict: "fail" })],
        found: { dialects: [twoVersions[0]!, { dialect: "0.3", because: "it answers to it" }] },
      },
      "conformant",
      "full",
      0,
    ],
    ["nothing, on an agent that offers everything", {}, "conformant", "full", 0],
    ["nothing, on an agent without push", { found: withoutPush }, "conformant", "partial", 0],
    [
      "our own exception in a check",
      { results: [...basics, result("LIST-003", { verdict: "error" })] },
      "conformant",
      "partial",
      0,
    ],
    [
      "nothing but our own exceptions",
      { results: [result("CARD-001", { verdict: "error" })], answers: [] },
      "inconclusive",
      null,
      3,
    ],
  ])("%s", expectRow);
});

describe("the core of the lifecycle", () => {
  test.each<Row>([
    ["a message", { answers: ["message"] }, "conformant", "full", 0],
    ["a task that waits for input", { answers: ["waiting"] }, "conformant", "full", 0],
    ["one of several tasks completed", { answers: ["failed", "completed"] }, "conformant", "full", 0],
    ["tasks that always fail", { answers: ["failed"] }, "inconclusive", null, 2],
    ["tasks that never end", { answers: ["unfinished"] }, "inconclusive", null, 2],
    ["our prompt is refused", { answers: ["refused"] }, "inconclusive", null, 2],
    ["silence", { results: [card, unsent], answers: ["silence"] }, "inconclusive", null, 2],
    ["unstable, or no budget: nothing was sent", { results: [card, unsent], answers: [] }, "inconclusive", null, 2],
    ["a recording of before it was written down", { answers: [] }, "conformant", "full", 0],
    [
      "always failing, and a broken rule",
      { results: [...basics, fails("LIST-003")], answers: ["failed"] },
      "not-conformant",
      "partial",
      1,
    ],
  ])("%s", expectRow);

  test.each([
    [["failed"], "every task failed"],
    [["unfinished"], "no task ended in time"],
    [["refused"], "the agent rejected the message"],
    [["silence"], "the agent answered no message"],
    [[], "sending a message was not examined: HTTP 503, 7 times"],
  ] as const)("%j is said: %s", (answers, because) => {
    expect(foldRun(runWith({ results: [card, unsent], answers })).levelBecause).toBe(because);
  });
});

describe("less than everything was asked for", () => {
  const depth = (name: RunStarted["depth"]) => ({ started: { depth: name }, results: [card, unsent], answers: [] });
  const nothing = [result("LIST-003", { verdict: "not-applicable" })];
  test.each<Row>([
    ["--depth card", depth("card"), "conformant", null, 0],
    ["--depth free", depth("free"), "conformant", null, 0],
    ["--only, --skip", { started: { filtered: true }, results: [card], answers: [] }, "conformant", null, 0],
    [
      "--only a rule that does not apply",
      { started: { filtered: true }, results: nothing, answers: [] },
      "inconclusive",
      null,
      2,
    ],
    [
      "--depth card, and the card is broken",
      { ...depth("card"), results: [fails("CARD-004")] },
      "not-conformant",
      "non-conformant",
      1,
    ],
    [
      "--depth free, and a rule is broken",
      { ...depth("free"), results: [card, unsent, fails("ERR-020")] },
      "not-conformant",
      null,
      1,
    ],
  ])("%s", expectRow);

  test.each([
    [{}, "everything"],
    [{ depth: "quick" }, "everything"],
    [{ depth: "card" }, "card"],
    [{ depth: "free" }, "free"],
    [{ depth: "free", filtered: true }, "filtered"],
  ] as const)("the scope of %j is %s", (head, scope) => {
    expect(foldRun(runWith({ started: head })).scope).toBe(scope);
  });
});

describe("several declared versions", () => {
  const both = (results: readonly ConformanceResult[]): RunStory => ({
    found: { dialects: twoVersions },
    results,
    answers: [],
  });
  test.each<Row>([
    ["both keep the rules", both([...basics, ...basics03]), "conformant", "full", 0],
    [
      "one breaks a rule",
      both([...basics, ...basics03, of03("HIST-001", { verdict: "fail" })]),
      "not-conformant",
      "minimal",
      1,
    ],
    ["one could not be examined", both([...basics, basics03[0]!]), "inconclusive", null, 2],
    [
      "one is broken, the other could not be examined",
      both([basics[0]!, ...basics03, of03("LIST-003", { verdict: "fail" })]),
      "not-conformant",
      null,
      1,
    ],
    [
      "one is of no use, the other could not be examined",
      both([basics[0]!, basics03[0]!, of03("SEND-001", { verdict: "fail" })]),
      "not-conformant",
      "non-conformant",
      1,
    ],
  ])("%s", expectRow);

  test("of the card alone, only the versions that have rules about it answer for it", () => {
    const results = [result("CARD-001"), of03("SEND-001", { verdict: "not-examined", unexamined: "depth" })];
    expect(foldRun(runWith({ ...both(results), started: { depth: "card" } })).outcome).toBe("conformant");
  });

  test("of a few rules, only the versions that have them answer for them", () => {
    const results = [result("LIST-003"), of03("SEND-001", { verdict: "not-examined", unexamined: "filter" })];
    expect(foldRun(runWith({ ...both(results), started: { filtered: true } })).outcome).toBe("conformant");
  });

  test("each is listed, and the level comes with its own reason", () => {
    const report = foldRun(runWith(both([...basics, ...basics03, of03("HIST-001", { verdict: "fail" })])));
    expect(report.dialects).toMatchObject([
      { dialect: "1.0", outcome: "conformant", conformanceLevel: "full" },
      { dialect: "0.3", outcome: "not-conformant", conformanceLevel: "minimal" },
    ]);
    expect(report.levelBecause).toBe("core rules are broken (HIST-001)");
  });
});

describe("a run that stopped early", () => {
  const broken = [...basics, fails("LIST-003")];
  test.each<Row>([
    ["agent gone", { ending: { ending: "agent-gone" } }, "inconclusive", null, 2],
    ["agent gone after a failure", { results: broken, ending: { ending: "agent-gone" } }, "inconclusive", null, 2],
    [
      "agent gone after a crash",
      { results: [...basics, fails("LIST-003", { code: "crashed" })], ending: { ending: "agent-gone" } },
      "not-conformant",
      "partial",
      1,
    ],
    ["agent exited", { ending: { ending: "agent-exited" } }, "inconclusive", null, 2],
    [
      "agent exited, and a failure",
      { results: broken, ending: { ending: "agent-exited" } },
      "not-conformant",
      "partial",
      1,
    ],
    ["--max-time over", { ending: { ending: "time-over" } }, "inconclusive", null, 2],
    [
      "--max-time over after a failure",
      { results: broken, ending: { ending: "time-over" } },
      "not-conformant",
      "partial",
      1,
    ],
    ["interrupted", { ending: { ending: "interrupted" } }, "inconclusive", null, 130],
    ["interrupted after a failure", { results: broken, ending: { ending: "interrupted" } }, "inconclusive", null, 130],
    ["cut off", { cutOff: true }, "inconclusive", null, 3],
    ["cut off after a failure", { results: broken, cutOff: true }, "inconclusive", null, 3],
  ])("%s", expectRow);

  test("what the agent had broken by then is still listed", () => {
    expect(foldRun(runWith({ results: broken, ending: { ending: "agent-gone" } })).summary.failed).toBe(1);
  });
});

function expectRow(...[, run, outcome, level, exit]: Row): void {
  const report = foldRun(runWith(run));
  expect([report.outcome, report.conformanceLevel, exitCodeOf(report)]).toEqual([outcome, level, exit]);
}
