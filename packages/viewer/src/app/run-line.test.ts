import { expect, test } from "vitest";
import { comparableRuns, findingsWord, lookOf, runsOf } from "./run-line.ts";

test("runs of some rules or without messages are not in the chart of whole runs", () => {
  const run = (scope: "everything" | "filtered" | "free") => ({ scope });
  expect(comparableRuns([run("everything"), run("filtered"), run("free"), run("everything")])).toEqual([
    run("everything"),
    run("everything"),
  ]);
  expect(comparableRuns([run("free"), run("filtered")])).toEqual([run("free")]);
});

test("a run is red only if a failure is not expected", () => {
  const summary = { expected: 2 } as Parameters<typeof lookOf>[0]["summary"];
  expect(lookOf({ outcome: "not-conformant", broken: 0, summary })).toBe("warn");
  expect(lookOf({ outcome: "not-conformant", broken: 1, summary })).toBe("fail");
  // Reports may lack the rule that fails, as those of an agent without any interface.
  expect(lookOf({ outcome: "not-conformant", broken: 0, summary: { ...summary, expected: 0 } })).toBe("fail");
  expect(lookOf({ outcome: "inconclusive", broken: 0, summary })).toBe("error");
});

test("the runs of an address are found however it is typed", () => {
  const runs = [{ agentUrl: "http://127.0.0.1:9999" }, { agentUrl: "http://127.0.0.1:9999/echo/" }];
  expect(runsOf("127.0.0.1:9999/", runs)).toEqual([runs[0]]);
  expect(runsOf("http://127.0.0.1:9999/echo", runs)).toEqual([runs[1]]);
  expect(runsOf("", runs)).toEqual([]);
});

test("nothing broken is only said of a conformant run", () => {
  const wordOf = (line: object): string =>
    findingsWord({ broken: 0, subject: "agent", ...line } as Parameters<typeof findingsWord>[0]);
  const summary = { expected: 0, examined: 3, applicable: 40 };
  expect(wordOf({ outcome: "conformant", summary })).toBe("no rule broken");
  expect(wordOf({ outcome: "conformant", summary, subject: "gateway" })).toBe("no property broken");
  expect(wordOf({ outcome: "not-conformant", summary, broken: 1 })).toBe("1 rule broken");
  expect(wordOf({ outcome: "not-conformant", summary: { ...summary, expected: 2 } })).toBe("2 expected failures");
  expect(wordOf({ outcome: "inconclusive", summary })).toBe("3 of 40 rules examined");
});
