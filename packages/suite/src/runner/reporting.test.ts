import { createMasker } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { spoken } from "../checks/bindings/call.fixture.ts";
import { checks } from "../checks/index.ts";
import { breach, broken, type Finding, holds, notExamined } from "../define/finding.ts";
import { heldUp, type Obstacle } from "../define/obstacle.ts";
import { causeFinder } from "../report/cause.ts";
import { resultsOf } from "../report/document.ts";
import type { RunEvent } from "../report/events.ts";
import { foldRun } from "../report/fold.ts";
import { finished, found, started } from "../report/run.fixture.ts";
import { Reporting } from "./reporting.ts";
import type { ResultContext } from "./results.ts";

const { on } = spoken("JSONRPC", { body: {} });
const checkOf = (id: string) => checks.find((check) => check.id === id)!;
const inTheWay = (rule: string): Obstacle => heldUp(rule, "it does not work", spoken("JSONRPC", { body: {} }));

/** What a run says, in the words `RULE verdict`, after a story of findings and obstacles. */
function told(
  story: (report: Reporting) => void,
  about: Partial<ResultContext> & { unconcerned?: readonly string[] } = {},
) {
  const events: RunEvent[] = [];
  const { unconcerned = [], ...context } = about;
  const report = new Reporting(
    {
      masker: createMasker([]),
      baseline: [],
      today: "2026-11-15",
      dialect: "1.0",
      declared: true,
      strict: false,
      ruleSet: "1.0.1-r1",
      ...context,
    },
    (event) => events.push(event),
    { concludes: true },
  );
  story(report);
  report.conclude((rule) => (unconcerned.includes(rule) ? undefined : checkOf(rule)));
  const results = resultsOf(foldRun([started, found, ...events, finished]));
  const causeOf = causeFinder(results);
  for (const result of results) if (result.verdict === "blocked") expect(causeOf(result)?.verdict).toBe("fail");
  return results
    .map(({ test: rule, verdict, warning, unexamined }) =>
      [rule, verdict, warning && "(warning)", unexamined].filter(Boolean).join(" "),
    )
    .toSorted();
}

const heldUpBy =
  (rule: string, ...ids: readonly string[]) =>
  (report: Reporting): void => {
    const obstacle = inTheWay(rule);
    for (const id of ids) report.obstacle({ check: checkOf(id), on }, obstacle);
  };

test("the rule that is to blame fails once, and the others are blocked by it", () => {
  expect(told(heldUpBy("GET-001", "GET-003", "GET-001", "GET-005"))).toEqual([
    "GET-001 fail",
    "GET-003 blocked",
    "GET-005 blocked",
  ]);
});

test("blame on a rule that only reads calls is not swallowed", () => {
  expect(checkOf("LIST-008").kind).toBe("passive");
  const story = (report: Reporting): void => {
    heldUpBy("LIST-008", "LIST-009")(report);
    report.defer({ check: checkOf("LIST-008"), on }, notExamined("not-triggered", "nothing was seen"));
  };
  expect(told(story)).toEqual(["LIST-008 fail", "LIST-009 blocked"]);
});

test("nor on one that was not asked for", () => {
  const story = (report: Reporting): void => {
    report.defer({ check: checkOf("GET-001"), on }, notExamined("filter", "excluded by --only or --skip"));
    heldUpBy("GET-001", "GET-003")(report);
  };
  expect(told(story)).toEqual(["GET-001 fail", "GET-003 blocked"]);
});

test("nor on one that held before", () => {
  const story = (report: Reporting): void => {
    report.finding({ check: checkOf("GET-001"), on }, holds());
    heldUpBy("GET-001", "GET-003")(report);
  };
  expect(told(story)).toEqual(["GET-001 fail", "GET-003 blocked"]);
});

test("a rule that does not concern the agent is not blamed, and blocks nothing", () => {
  expect(told(heldUpBy("GET-001", "GET-003"), { unconcerned: ["GET-001"] })).toEqual([
    "GET-003 not-examined prerequisite",
  ]);
});

test("a SHOULD does not fail by what it holds up, and blocks nothing", () => {
  expect(told(heldUpBy("SEND-004", "GET-003"))).toEqual([
    "GET-003 not-examined prerequisite",
    "SEND-004 pass (warning)",
  ]);
});

test("nor does anything in a version that the agent never claimed", () => {
  expect(told(heldUpBy("GET-001", "GET-003"), { declared: false })).toEqual([
    "GET-001 pass (warning)",
    "GET-003 not-examined prerequisite",
  ]);
});

describe("a cause that several rules see", () => {
  const call = spoken("JSONRPC", { body: {} });
  const missing = (code: "operation-not-served" | "task-operation-unknown" = "operation-not-served"): Finding =>
    breach(code, "GetTask is not served", { at: call });
  const says = (report: Reporting, id: string, ...findings: Finding[]): void =>
    report.finding({ check: checkOf(id), on }, findings);

  test("is reported once, by the rule that owns it", () => {
    const story = (report: Reporting): void => {
      says(report, "GET-002", missing());
      says(report, "JSONRPC-005", holds(), missing());
      says(report, "CAP-004", holds(), missing());
    };
    expect(told(story)).toEqual(["CAP-004 fail", "GET-002 blocked", "JSONRPC-005 blocked"]);
  });

  test("does not hide another breach of a rule that sees it", () => {
    const story = (report: Reporting): void => {
      says(report, "CAP-004", missing());
      says(report, "GET-002", missing(), broken("another thing", { at: call }));
    };
    expect(told(story)).toEqual(["CAP-004 fail", "GET-002 fail"]);
  });

  test("fails nothing where its owner only warns", () => {
    const story = (report: Reporting): void => {
      says(report, "CAP-004", missing("task-operation-unknown"));
      says(report, "GET-002", missing());
    };
    expect(told(story)).toEqual(["CAP-004 pass (warning)", "GET-002 not-examined prerequisite"]);
  });

  test("is handed to an owner that was examined and did not see it", () => {
    const story = (report: Reporting): void => {
      says(report, "CAP-004", holds());
      says(report, "GET-002", missing());
    };
    expect(told(story)).toEqual(["CAP-004 fail", "GET-002 blocked"]);
  });

  test("leaves a rule unexamined where its owner was not part of the run, unless that rule asks for the same", () => {
    const story = (report: Reporting): void => {
      says(report, "GET-002", missing());
      says(report, "JSONRPC-005", missing());
    };
    expect(told(story)).toEqual(["GET-002 not-examined prerequisite", "JSONRPC-005 fail"]);
  });

  test("is a breach of the rule that sees it where its owner does not concern the agent", () => {
    const story = (report: Reporting): void => says(report, "GET-002", missing());
    expect(told(story, { unconcerned: ["CAP-004", "V03-CAP-001"] })).toEqual(["GET-002 fail"]);
  });

  test("on another operation is another cause", () => {
    const story = (report: Reporting): void => {
      says(
        report,
        "CAP-004",
        breach("operation-not-served", "ListTasks is not served", { at: { ...call, operation: "ListTasks" } }),
      );
      says(report, "JSONRPC-005", missing());
    };
    expect(told(story)).toEqual(["CAP-004 fail", "JSONRPC-005 fail"]);
  });

  test("holds up what an obstacle of the blocked rule holds up", () => {
    const story = (report: Reporting): void => {
      says(report, "CAP-004", missing());
      const obstacle = heldUp("GET-001", "GetTask is not served", call, { code: "operation-not-served" });
      report.obstacle({ check: checkOf("GET-004"), on }, obstacle);
    };
    expect(told(story)).toEqual(["CAP-004 fail", "GET-001 blocked", "GET-004 blocked"]);
  });
});
