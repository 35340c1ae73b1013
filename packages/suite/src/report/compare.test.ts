import { expect, test } from "vitest";
import { compareReports, comparisonTitle } from "./compare.ts";
import { foldRun } from "./fold.ts";
import { basics, grpc, jsonrpc, rest, result, runOf } from "./run.fixture.ts";

type Verdict = "pass" | "fail" | "not-examined" | "not-applicable" | "blocked";
const run = (...results: ReturnType<typeof result>[]) => foldRun(runOf([...basics, ...results]));
const rule = (verdict: Verdict, on = jsonrpc, message = "no token") =>
  result("LIST-003", { verdict, interface: on, ...(verdict === "fail" && { message }) });

const changes = (before: Verdict, after: Verdict) =>
  compareReports(run(rule(before)), run(rule(after))).changes.map(({ change, test: id }) => `${change} ${id}`);

test.each<[Verdict, Verdict, string[]]>([
  ["fail", "pass", ["fixed LIST-003"]],
  ["pass", "fail", ["broken LIST-003"]],
  ["not-examined", "fail", ["found LIST-003"]],
  ["blocked", "fail", ["found LIST-003"]],
  ["fail", "not-examined", ["unknown LIST-003"]],
  ["fail", "blocked", ["unknown LIST-003"]],
  ["fail", "not-applicable", ["gone LIST-003"]],
  ["fail", "fail", ["still LIST-003"]],
  ["pass", "pass", []],
  ["pass", "not-examined", []],
])("from %s to %s", (before, after, says) => {
  expect(changes(before, after)).toEqual(says);
});

test("the same change in several places is listed once, with all places", () => {
  const before = run(rule("pass"), rule("pass", rest), rule("fail", grpc, "other"));
  const after = run(rule("fail"), rule("fail", rest), rule("pass", grpc));
  expect(compareReports(before, after).changes).toMatchObject([
    { change: "broken", places: ["JSON-RPC", "HTTP+JSON"], message: "no token" },
    { change: "fixed", places: ["gRPC"], message: "other" },
  ]);
});

test("an agent that has moved is the same agent", () => {
  const moved = { ...jsonrpc, url: "http://agent.test:4711/" };
  expect(compareReports(run(rule("fail")), run(rule("pass", moved))).changes).toMatchObject([{ change: "fixed" }]);
});

test("rules that were examined in one of the runs only are named", () => {
  const { coverage } = compareReports(
    run(rule("not-examined"), result("GET-001")),
    run(rule("pass"), result("GET-001", { verdict: "not-examined" })),
  );
  expect(coverage).toEqual({ gained: ["LIST-003"], lost: ["GET-001"] });
});

test("new failures and a worse outcome are a regression, whether the rule was examined before or not", () => {
  const other = result("GET-001", { verdict: "fail", interface: jsonrpc });
  const compared = (before: Verdict, after: Verdict) =>
    compareReports(run(other, rule(before)), run(other, rule(after)));
  expect(compared("pass", "fail").regressed).toBe(true);
  expect(compared("not-examined", "fail").regressed).toBe(true);
  expect(compared("fail", "pass").regressed).toBe(false);
  expect(compared("fail", "fail").regressed).toBe(false);
  expect(compareReports(run(rule("pass")), foldRun(runOf([]))).regressed).toBe(true);
});

test("an accepted failure and a disputed rule are never a regression", () => {
  const failing = { verdict: "fail", interface: jsonrpc } as const;
  const other = result("GET-001", failing);
  for (const more of [{ expected: "known" }, { disputed: true as const }]) {
    const after = run(other, result("LIST-003", { ...failing, ...more }));
    expect(compareReports(run(other, rule("pass")), after)).toMatchObject({
      changes: [{ change: "broken", accepted: true }, { change: "still" }],
      regressed: false,
    });
  }
});

test("the title counts new and fixed failures", () => {
  const title = (before: ReturnType<typeof run>, after: ReturnType<typeof run>) =>
    comparisonTitle(compareReports(before, after));
  const get = (verdict: Verdict) => result("GET-001", { verdict, interface: jsonrpc });
  expect(title(run(rule("not-examined"), get("fail")), run(rule("fail"), get("pass")))).toBe("1 new failure, 1 fixed");
  expect(title(run(rule("pass"), get("pass")), run(rule("fail"), get("fail")))).toBe("2 new failures");
  expect(title(run(rule("fail")), run(rule("pass")))).toBe("1 failure fixed, none new");
  expect(title(run(rule("fail")), run(rule("fail")))).toBe("No new failures");
  expect(title(run(rule("pass")), foldRun(runOf([])))).toBe("Worse than before: inconclusive, was conformant");
});
