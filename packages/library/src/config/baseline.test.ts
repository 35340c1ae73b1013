import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonRpc, reportOf, rest, result, started, weatherRun } from "../../../cli/src/run.fixture.ts";
import { baselineText, judgeBaseline, readBaseline, updatedBaseline } from "./baseline.ts";

const report = reportOf(weatherRun);
const file = join(mkdtempSync(join(tmpdir(), "assay-baseline-")), "baseline.yaml");
test("a baseline that does not exist names the flag that writes it", () => {
  expect(() => readBaseline("nowhere.yaml")).toThrow(
    expect.objectContaining({
      message: "The baseline nowhere.yaml does not exist",
      hint: "To write the failures of this run to it, add --baseline-update.",
    }),
  );
});

const read = (text: string): ReturnType<typeof readBaseline> => {
  writeFileSync(file, text);
  return readBaseline(file);
};

describe("a baseline", () => {
  test("comes back as it was written", () => {
    const entries = updatedBaseline(report, []);
    expect(read(baselineText(entries))).toEqual(entries);
  });

  test("is made from the failures of a run; one that is everywhere is one entry", () => {
    expect(updatedBaseline(report, [])).toEqual([
      { check: "ERR-020", interface: "JSONRPC", reason: "TODO: explain: GetTask answers -32603 for an unknown task" },
      { check: "LIST-003", reason: "TODO: explain: nextPageToken is missing on the last page" },
    ]);
  });

  test("keeps reasons, what was not examined and what is flaky, and drops what is fixed", () => {
    const before = [
      { check: "LIST-003", reason: "waits for the printer" },
      { check: "SEND-001", reason: "fixed by now" },
      { check: "CACHE-001", reason: "comes and goes", flaky: true },
      { check: "STREAM-009", reason: "not tested at this depth" },
    ];
    expect(updatedBaseline(report, before).map(({ check, reason }) => `${check}: ${reason}`)).toEqual([
      "CACHE-001: comes and goes",
      "ERR-020: TODO: explain: GetTask answers -32603 for an unknown task",
      "LIST-003: waits for the printer",
      "STREAM-009: not tested at this depth",
    ]);
  });

  test("whose failure now passes is out of date, unless it is flaky or was not examined", () => {
    const entries = [
      { check: "SEND-001", reason: "r" },
      { check: "SEND-001", reason: "r", flaky: true },
      { check: "CACHE-001", interface: "card", reason: "r" },
      { check: "LIST-003", reason: "r" },
      { check: "STREAM-009", reason: "r" },
    ];
    expect(judgeBaseline(report, entries).fixed).toEqual([entries[0], entries[2]]);
  });

  test("an entry for everywhere that passes somewhere is out of date, and is narrowed", () => {
    const half = reportOf([
      started,
      result("GET-001", { interface: jsonRpc }),
      result("GET-001", { interface: rest, verdict: "fail" }),
    ]);
    const everywhere = { check: "GET-001", reason: "r", expires: "2999-01-01" };
    expect(judgeBaseline(half, [everywhere]).fixed).toEqual([everywhere]);
    expect(updatedBaseline(half, [everywhere])).toEqual([{ ...everywhere, interface: "HTTP+JSON" }]);
    expect(judgeBaseline(half, [{ ...everywhere, interface: "HTTP+JSON" }]).fixed).toEqual([]);
  });

  test("an entry that passes in one place and was not examined in another is unknown, and is narrowed", () => {
    const half = reportOf([
      started,
      result("GET-001", { interface: jsonRpc }),
      result("GET-001", { interface: rest, verdict: "not-examined" }),
    ]);
    const everywhere = { check: "GET-001", reason: "r" };
    expect(judgeBaseline(half, [everywhere])).toMatchObject({ fixed: [], unknown: [everywhere] });
    expect(updatedBaseline(half, [everywhere])).toEqual([{ ...everywhere, interface: "HTTP+JSON" }]);
  });

  test.each(["not-examined", "blocked", "error"] as const)("what is %s is unknown, and stays", (verdict) => {
    const now = reportOf([started, result("GET-001", { interface: jsonRpc, verdict })]);
    const entry = { check: "GET-001", interface: "JSONRPC", reason: "r" };
    expect(judgeBaseline(now, [entry])).toMatchObject({ fixed: [], unknown: [entry] });
    expect(updatedBaseline(now, [entry])).toEqual([entry]);
  });

  test("a failure in one version of the protocol is not fixed by another that passes", () => {
    const older = { ...jsonRpc, dialect: "0.3" };
    const both = reportOf([
      started,
      result("GET-001", { interface: jsonRpc }),
      result("GET-001", { interface: older, dialect: "0.3", verdict: "fail" }),
    ]);
    const entry = { check: "GET-001", interface: "JSONRPC", reason: "r" };
    expect(judgeBaseline(both, [entry])).toMatchObject({ fixed: [], unknown: [] });
    expect(updatedBaseline(both, [entry])).toEqual([entry]);
  });

  test("names entries that have expired, and those that no check answers to", () => {
    const entries = [
      { check: "LIST-003", reason: "r", expires: "2026-01-31" },
      { check: "LIST-004", reason: "r" },
      { check: "ERR-020", interface: "GRPC", reason: "r" },
      { check: "ERR-020", reason: "r", expires: "2026-11-15" },
    ];
    expect(judgeBaseline(report, entries, "2026-11-15")).toEqual({
      fixed: [],
      expired: [entries[0]],
      unknown: [],
      unmatched: [entries[1], entries[2]],
    });
  });

  test.each([
    ["- check: LIST-003", "baseline.yaml:1:3 [0].reason: expected a string, it is missing"],
    [
      "- check: A\n  reason: r\n  expires: soon",
      'baseline.yaml:3:12 [0].expires: expected a day such as 2027-01-31, found "soon"',
    ],
    ["- check: A\n  reason: r\n  flakey: true", 'baseline.yaml:3:3 "flakey" is unknown in [0]. Did you mean flaky?'],
  ])("%j: %s", (text, says) => {
    expect(() => read(text)).toThrow(says);
  });
});
