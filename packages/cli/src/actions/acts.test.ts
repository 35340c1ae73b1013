import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

let testbed: Testbed;
const folder = mkdtempSync(join(tmpdir(), "assay-acts-"));
beforeAll(async () => {
  testbed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "9.9.9",
    timeScale: 0,
    profile: { profile: "acts" },
  });
});
afterAll(() => testbed.close(0));

async function acts(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(["acts", ...args], screen);
  const timeless = (text: string): string =>
    text
      .replaceAll(testbed.url, "http://HERE")
      .replaceAll(folder, "FOLDER")
      .replaceAll(/; [\d.]+ m?s$/gm, "; ? ms")
      // Rows show a time only if they took long.
      .replaceAll(/ {2}[\d.]+ s$/gm, "")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "«id»")
      .replaceAll(/exchange x\d+/g, "exchange «id»");
  return { code, out: timeless(screen.out()), err: timeless(screen.err()) };
}

/** A file with these tests. */
function fileWith(name: string, tests: string): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `acts_version: "1.0"\nspec_version: "1.0"\nsuites:\n  - id: mine\n    name: Mine\n    tests:\n${tests}`,
  );
  return file;
}

const get = (id: string, more: string, level = "must"): string => `      - id: ${id}
        name: "Reads a task that nobody made"
        level: ${level}
        steps:
          - id: get
            operation: get_task
            params: { id: nobody-made-this }
${more}`;

const right = "            expect_error: { error_type: TaskNotFoundError }\n";
const wrong = "            expect_error: { error_type: TaskNotCancelableError }\n";

test("a row for each binding, and what it comes to", async () => {
  const { code, out } = await acts(fileWith("good.acts.yaml", get("T-1", right)), "--url", `${testbed.url}/spec`);
  expect(out).toMatchInlineSnapshot(`
    "ACTS on http://HERE/spec  Spec Agent 9.9.9

      ✓ jsonrpc/T-1 Reads a task that nobody made
      ✓ rest/T-1    Reads a task that nobody made
      ✓ grpc/T-1    Reads a task that nobody made

      MUST:   3/3 passed

    3 rows: 3 passed, 0 failed, 0 skipped, 0 defects of the corpus, 0 errors; ? ms
    "
  `);
  expect(code).toBe(0);
});

test("a failure shows what was sent, seen and wanted, and the place of the test", async () => {
  const file = fileWith("bad.acts.yaml", get("T-2", wrong));
  const { code, out } = await acts(file, "--url", `${testbed.url}/spec`, "--binding", "JSONRPC");
  expect(out).toMatchInlineSnapshot(`
    "ACTS on http://HERE/spec  Spec Agent 9.9.9

      ✗ jsonrpc/T-2 Reads a task that nobody made must
          get: expected TaskNotCancelableError (error code -32002), got another error: -32001 TASK_NOT_FOUND (Task "nobody-made-this" not found)
          sent    GetTask {"id":"nobody-made-this"}
          saw     HTTP 200 {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"Task \\"nobody-made-this\\" not found","data":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"TASK_NOT_FOUND","domain":"a2a-protocol.org","metadata":{"taskId":"nobody-made-this"}}]}}
          want    TaskNotCancelableError (error code -32002)
          test    FOLDER/bad.acts.yaml:11:13
          repeat  curl -s 'http://HERE/spec' -H 'Content-Type: application/json' -H 'A2A-Version: 1.0' -H 'Authorization: Bearer '"$ASSAY_AUTHORIZATION"'' -d '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"nobody-made-this"}}'
          see     exchange «id» of the JSON report

      MUST:   0/1 passed (1 failed)

    Failed
      jsonrpc/T-2 expected TaskNotCancelableError (error code -32002), got another error: -32001 TASK_NOT_FOUND (Task "nobody-made-this" not found)

    1 row: 0 passed, 1 failed, 0 skipped, 0 defects of the corpus, 0 errors; ? ms
    "
  `);
  expect(code).toBe(1);
});

test("a failure of level should does not decide how the run ends", async () => {
  const file = fileWith("should.acts.yaml", get("T-3", wrong, "should"));
  expect((await acts(file, "--url", `${testbed.url}/spec`, "--binding", "GRPC")).code).toBe(0);
});

describe("the runs with authentication and with reduced capabilities", () => {
  const needs = (capability: string): string => `        preconditions: { capabilities: { ${capability} } }\n`;
  const file = fileWith(
    "second.acts.yaml",
    `${get("AUTH", right).replace("        steps", `${needs("authentication: true")}        steps`)}${get("REDUCED", right).replace("        steps", `${needs("streaming: false")}        steps`)}`,
  );

  test("are started by themselves on our own test bed", async () => {
    const { code, out } = await acts(file, "--url", `${testbed.url}/spec`, "--binding", "JSONRPC");
    expect(out).toContain("✓ jsonrpc/AUTH");
    expect(out).toContain("(auth run)");
    expect(out).toContain("✓ jsonrpc/REDUCED");
    expect(out).toContain("(reduced run)");
    expect(code).toBe(0);
  });

  test("can be somewhere else", async () => {
    const args = ["--url", `${testbed.url}/spec`, "--binding", "JSONRPC", "--reduced-url", `${testbed.url}/minimal`];
    const { out } = await acts(file, ...args, "--only", "REDUCED");
    expect(out).toContain("✓ jsonrpc/REDUCED");
  });
});

test("reports are written in every format, the ACTS report once for each binding", async () => {
  const file = fileWith("reports.acts.yaml", get("T-4", right));
  const at = (name: string): string => join(folder, "out", name);
  const { code } = await acts(
    file,
    ...["--url", `${testbed.url}/spec`, "--sdk", "a2a-x@1.2:typescript"],
    ...["acts=acts.json", "json=all.json", "junit=all.xml", "markdown=all.md"].flatMap((target) => {
      const [format, name] = target.split("=") as [string, string];
      return ["--report", `${format}=${at(name)}`];
    }),
  );
  expect(code).toBe(0);
  for (const transport of ["jsonrpc", "rest", "grpc"]) {
    const report = JSON.parse(readFileSync(at(`acts.${transport}.json`), "utf8"));
    expect(report).toMatchObject({
      transport,
      sdk: { name: "a2a-x", version: "1.2", language: "typescript" },
      summary: { total: 1, passed: 1 },
      suites: [{ id: "mine", tests: [{ id: "T-4", result: "pass" }] }],
    });
  }
  expect(JSON.parse(readFileSync(at("all.json"), "utf8"))).toMatchObject({ summary: { total: 3, passed: 3 } });
  expect(readFileSync(at("all.xml"), "utf8")).toContain('tests="3" failures="0"');
  expect(readFileSync(at("all.md"), "utf8")).toContain("**0 failed, 3 passed** of 3");
});

test("a report that cannot be written goes to stdout, and the exit code is 3", async () => {
  const file = fileWith("unwritable.acts.yaml", get("T-4", right));
  const place = join(file, "junit.xml");
  const args = [file, "--url", `${testbed.url}/spec`, "--binding", "HTTP+JSON", "--report", `junit=${place}`];
  const { code, out, err } = await acts(...args);
  expect([code, err]).toEqual([3, expect.stringMatching(/junit\.xml .*stdout instead/)]);
  expect(out).toMatch(/<testsuites.*<\/testsuites>/s);
});

test("while a report goes to the output, people are spoken to on the error stream", async () => {
  const file = fileWith("output.acts.yaml", get("T-5", right));
  const { out, err } = await acts(file, "--url", `${testbed.url}/spec`, "--binding", "HTTP+JSON", "--report", "acts");
  expect(JSON.parse(out)).toMatchObject({ transport: "rest", summary: { passed: 1 } });
  expect(err).toContain("✓ rest/T-5");
});

describe("what is wrong is said before anything is sent", () => {
  test("a mistake in a file, with its place", async () => {
    const { code, err } = await acts(
      fileWith("typo.acts.yaml", get("T-6", "            expct: {}\n")),
      "--url",
      testbed.url,
    );
    expect(code).toBe(2);
    expect(err).toContain('FOLDER/typo.acts.yaml:14:13 "expct" is unknown in a step; expected ');
  });

  test.each([
    ["a file that is not there", ["nowhere", "--url", "x"], "nowhere: no such file or folder"],
    ["no address", [fileWith("a.acts.yaml", get("T-7", right))], "No agent to run the scenarios on."],
    [
      "a filter that fits nothing",
      [fileWith("b.acts.yaml", get("T-8", right)), "--only", "T-9"],
      "--only T-9: no scenario matches. Did you mean T-8?",
    ],
    [
      "a format that is none",
      [fileWith("c.acts.yaml", get("T-8", right)), "--url", "x", "--report", "html=y"],
      '--report html=y: unknown format "html" for scenarios.',
    ],
    [
      "a variable without a value",
      [fileWith("d.acts.yaml", get("T-8", right)), "--url", "http://127.0.0.1:9/", "--var", "x"],
      "--var x: expected name=value",
    ],
  ])("%s", async (_what, args, says) => {
    const { code, err } = await acts(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });
});

test("--list says what is in the files", async () => {
  const { code, out } = await acts(fileWith("list.acts.yaml", get("T-1", right)), "--list");
  expect([code, out]).toEqual([
    0,
    `Mine FOLDER/list.acts.yaml\n  T-1 must   Reads a task that nobody made\n1 scenario in 1 file\n`,
  ]);
});
