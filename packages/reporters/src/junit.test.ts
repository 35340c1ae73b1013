import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../protocol/src/any-character.fixture.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { junit } from "./junit.ts";
import { nobodyThere, oneFailure, sampleRun, sampleWith, whatHolds } from "./sample.fixture.ts";
import { tagsOf } from "./tags.fixture.ts";

const verdicts = ["pass", "fail", "not-applicable", "not-examined", "blocked", "error"] as const;
const status = { pass: "pass", fail: "fail" } as Record<string, "pass" | "fail">;

test("each verdict has its word in JUnit", () => {
  const results = verdicts.map((verdict) => ({
    test: `A-${verdicts.indexOf(verdict)}`,
    category: "lifecycle" as const,
    status: status[verdict] ?? ("skip" as const),
    verdict,
    dialect: "1.0",
    level: "MUST" as const,
    title: `what ${verdict} looks like`,
    section: "3.1",
    specUrl: "https://a2a-protocol.org/latest/specification/#31",
    message: "as we saw it",
    duration_ms: 1234,
    evidence: [],
    ...(verdict === "blocked" && { rootCause: "A-1" }),
    ...(verdict === "not-examined" && { enable: "--depth full" }),
    ...(verdict === "pass" && { warning: "barely" }),
  }));
  expect(junit(sampleWith(results))).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="assay" tests="6" failures="1" errors="2" skipped="2" time="48.000">
      <testsuite name="card" tests="6" failures="1" errors="2" skipped="2" time="7.404" timestamp="2026-11-15T08:14:02">
        <properties>
          <property name="assay.agent" value="Weather Agent 2.3.0"/>
          <property name="assay.url" value="http://127.0.0.1:9999"/>
          <property name="assay.outcome" value="not conformant"/>
          <property name="assay.level" value="none"/>
          <property name="assay.because" value="the card was not examined, which every level requires"/>
          <property name="assay.rules" value="1.0.1-r1"/>
          <property name="assay.depth" value="quick"/>
          <property name="assay.examined" value="2 of 5"/>
          <property name="assay.version" value="1.0.0"/>
          <property name="assay.run" value="2026-11-15T08-14-02"/>
        </properties>
        <testcase name="A-0 what pass looks like" classname="assay.card.lifecycle" time="1.234">
          <system-out>warning: barely</system-out>
        </testcase>
        <testcase name="A-1 what fail looks like" classname="assay.card.lifecycle" time="1.234">
          <failure message="as we saw it" type="MUST">rule      §3.1 https://a2a-protocol.org/latest/specification/#31</failure>
        </testcase>
        <testcase name="A-2 what not-applicable looks like" classname="assay.card.lifecycle" time="1.234">
          <skipped message="not applicable; as we saw it"/>
        </testcase>
        <testcase name="A-3 what not-examined looks like" classname="assay.card.lifecycle" time="1.234">
          <skipped message="not examined; as we saw it; enable with --depth full"/>
        </testcase>
        <testcase name="A-4 what blocked looks like" classname="assay.card.lifecycle" time="1.234">
          <error message="blocked by A-1: as we saw it" type="blocked">rule      §3.1 https://a2a-protocol.org/latest/specification/#31</error>
        </testcase>
        <testcase name="A-5 what error looks like" classname="assay.card.lifecycle" time="1.234">
          <error message="as we saw it" type="error">rule      §3.1 https://a2a-protocol.org/latest/specification/#31</error>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test("a failure says what was sent, seen and wanted, and how to mend and repeat it", () => {
  expect(/<failure.*<\/failure>/s.exec(junit(sampleWith([oneFailure])))![0]).toMatchInlineSnapshot(`
    "<failure message="GetTask answers -32603 for an unknown task" type="MUST">sent      {&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;method&quot;:&quot;GetTask&quot;,&quot;params&quot;:{&quot;id&quot;:&quot;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&quot;}}
    saw       {&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;error&quot;:{&quot;code&quot;:-32603,&quot;message&quot;:&quot;KeyError: &#39;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&#39;&quot;}}
    want      error.code -32001 (TaskNotFound)
    fix       Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.
    reproduce curl -s http://127.0.0.1:9999/ -H &#39;A2A-Version: 1.0&#39; -H &#39;Content-Type: application/json&#39; -d &#39;{&quot;jsonrpc&quot;:&quot;2.0&quot;,&quot;id&quot;:3,&quot;method&quot;:&quot;GetTask&quot;,&quot;params&quot;:{&quot;id&quot;:&quot;3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11&quot;}}&#39;
    rule      §5.4 https://a2a-protocol.org/v1.0.1/specification/#54</failure>"
  `);
});

test.each([
  ["a baseline expects", { expected: "fixed next month" }, "fails, as expected (fixed next month)"],
  ["is contested", { disputed: true as const }, "fails, which is contested"],
])("a failure that %s is none here", (_, about, why) => {
  const text = junit(sampleWith([...whatHolds, { ...oneFailure, ...about }]));
  expect(text).toMatch(/<testsuites name="assay" tests="\d+" failures="0" errors="0" skipped="1"/);
  expect(text).toContain(`<skipped message="${why}: GetTask answers -32603 for an unknown task"/>`);
});

test("a property of a gateway names no section of A2A if there is none", () => {
  const text = junit(sampleWith([{ ...oneFailure, section: "" }]));
  expect(text).not.toMatch(/^rule /m);
  expect(junit(sampleWith([oneFailure]))).toMatch(/^rule {6}§5\.4 /m);
});

test("a class is a category of an interface, and no version makes a level of its own", () => {
  const older = { ...oneFailure, dialect: "0.3" };
  expect(junit(sampleWith([older]))).toContain('classname="assay.JSON-RPC 0_3.error-handling"');
});

test("a run that reached no agent is an error, not an empty success", () => {
  const text = junit(nobodyThere);
  expect(text).toContain('<testsuites name="assay" tests="1" failures="0" errors="1" skipped="0" time="10.000">');
  expect(text).toContain('<error message="Cannot reach http://127.0.0.1:9999 (connection refused,');
});

test("there is a suite for every interface, and the counts are right", () => {
  const text = junit(sampleRun);
  const tags = tagsOf(text);
  const count = (tag: string): number => tags.filter((each) => each === tag).length;
  const numbers = (head: string): number[] =>
    ["tests", "failures", "errors", "skipped"].map((name) => Number(new RegExp(` ${name}="(\\d+)"`).exec(head)![1]));
  const [whole, ...suites] = text.match(/<testsuites? [^>]*>/g)!;
  expect(numbers(whole!)).toEqual(["testcase", "failure", "error", "skipped"].map(count));
  expect(suites.map(numbers).reduce((sum, each) => sum.map((n, index) => n + each[index]!))).toEqual(numbers(whole!));
  expect(suites.map((head) => / name="([^"]*)"/.exec(head)![1])).toMatchInlineSnapshot(`
    [
      "card",
      "JSON-RPC",
      "HTTP+JSON",
      "gRPC",
    ]
  `);
});

test("two interfaces of one binding do not share a suite", () => {
  const there = { ...oneFailure, interface: { ...oneFailure.interface!, url: "http://127.0.0.1:9999/other" } };
  const suites = junit(sampleWith([oneFailure, there])).match(/<testsuite name="[^"]*"/g);
  expect(suites).toEqual(['<testsuite name="JSON-RPC"', '<testsuite name="JSON-RPC 2"']);
});

const structure = tagsOf(junit(runThatSays("plain")));

test.each(Object.entries(nastyStrings))("%s from an agent leaves the XML as it is", (_, text) => {
  expect(tagsOf(junit(runThatSays(text)))).toEqual(structure);
});

test("no text from an agent changes the XML", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(tagsOf(junit(runThatSays(text)))).toEqual(structure);
    }),
  );
});
