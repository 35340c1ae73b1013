import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testClient } from "@assay/clients";
import { type ConformanceReport, exitCodeOf, foldRun, type RunEvent } from "@assay/suite/report";
import { afterAll, expect, test } from "vitest";
import { brokenIn } from "./proof.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-stdin-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = [process.execPath, join(import.meta.dirname, "stdin-client.js")];
const situations = ["task", "stream", "get", "list", "converse"];

async function reportOn(name: string, command: readonly string[], timeout = 60_000): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  for await (const event of testClient({
    command,
    stdin: true,
    env: { ...process.env, STARTS_FILE: startsFile(name) },
    run: "stdin",
    version: "0",
    dialects: ["1.0"],
    bindings: ["JSONRPC"],
    concurrency: 1,
    situations,
    timeout,
  }))
    events.push(event);
  return foldRun(events);
}

const startsFile = (name: string): string => join(folder, name);
const startsOf = (name: string): number => readFileSync(startsFile(name), "utf8").trim().split("\n").length;
const endsOf = ({ situations: all }: ConformanceReport) =>
  Object.fromEntries((all ?? []).map(({ situation, ended, runs }) => [situation, `${ended} ${runs[0]?.exit ?? "–"}`]));

test("a program that stays is started once, and judged like one that is started for each situation", async () => {
  const report = await reportOn("good", program);
  expect(brokenIn(report)).toEqual([]);
  expect(report.outcome).toBe("conformant");
  expect(Object.values(endsOf(report))).toEqual(Array(situations.length + 1).fill("done 0"));
  expect(startsOf("good")).toBe(1);
});

test("a situation in which it hangs or ends costs only that one: it is started again", async () => {
  const hanging = endsOf(await reportOn("hangs", [...program, "--hang", "get"], 5_000));
  expect(hanging).toMatchObject({ get: "time-over –", list: "done 0", converse: "done 0" });
  const dying = endsOf(await reportOn("dies", [...program, "--die", "get"]));
  expect(dying).toMatchObject({ get: "done 3", list: "done 0", converse: "done 0" });
  expect(startsOf("dies")).toBe(2);
});

test.each(["now", "late"])("a program that ends after each answer is started for each situation: %s", async (once) => {
  const report = await reportOn(`once-${once}`, [...program, "--once", once]);
  expect(report.outcome).toBe("conformant");
  expect(Object.values(endsOf(report))).toEqual(Array(situations.length + 1).fill("done 0"));
});

test("a command that does not exist is inconclusive", async () => {
  const report = await reportOn("missing", ["no-such-program-here"]);
  expect(report.levelBecause).toContain("command not found");
  expect(exitCodeOf(report)).toBe(2);
});
