import { expect, test } from "vitest";
import { compareReports } from "./compare.ts";
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

test("the same change in several places is told once, with all of them", () => {
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

test("it is worse when something breaks or the outcome does, and not when something is found", () => {
  const regressed = (before: Verdict, after: Verdict) => compareReports(run(rule(before)), run(rule(after))).regressed;
  expect(regressed("pass", "fail")).toBe(true);
  expect(regressed("fail", "pass")).toBe(false);
  expect(regressed("fail", "fail")).toBe(false);
  // Both runs are not conformant by another rule: a failure that was not looked for before is news, no step back.
  const other = result("GET-001", { verdict: "fail", interface: jsonrpc });
  expect(compareReports(run(other, rule("not-examined")), run(other, rule("fail"))).regressed).toBe(false);
  expect(compareReports(run(rule("not-examined")), run(rule("fail"))).regressed).toBe(true);
});
