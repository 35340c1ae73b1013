import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RunFolder, readRun } from "@assay/library/runs";
import { loadReporters } from "@assay/reporters";
import type { TestOptions } from "@assay/suite";
import { foldRun, type RunEvent } from "@assay/suite/report";
import { describe, expect, test, vi } from "vitest";
import type { TestFlags } from "../commands/test.ts";
import { UsageError } from "../exit.ts";
import { basics, finished, found, jsonRpc, planned, result, started, weatherRun } from "../run.fixture.ts";
import { paperScreen } from "../screen.fixture.ts";
import type { TestDependencies } from "../testing/invocation.ts";
import { rescue } from "../testing/one-run.ts";
import { makeReports } from "./report.ts";
import { runTest } from "./test.ts";

const reporters = await loadReporters();

const agent = "http://127.0.0.1:9999";
const faultless = [started, found, planned, ...basics, finished];
const silent = (ending: "unreachable" | "interrupted"): RunEvent[] => [
  started,
  { ...finished, ending, message: `Cannot reach ${agent}.`, hint: "Is it running?" } as RunEvent,
];

/** The command with an engine that plays these events, in a folder of its own. */
function lab(events: readonly RunEvent[]) {
  const home = mkdtempSync(join(tmpdir(), "assay-test-"));
  const folder = new RunFolder(join(home, ".assay"));
  const seen: TestOptions[] = [];
  const testLab: TestDependencies = {
    folder,
    reporters,
    async *testAgent(options) {
      seen.push(options);
      yield* seen.length > 1 && later ? later : events;
    },
  };
  let later: readonly RunEvent[] | undefined;
  /** The agent shows this from its second run on. */
  const turn = (other: readonly RunEvent[]): void => {
    later = other;
  };
  const assay = async (flags: TestFlags = {}, { isAddressed = true, isTerminal = false } = {}) => {
    const screen = paperScreen({ isTerminal });
    const code = await runTest(isAddressed ? agent : undefined, { config: false, ...flags }, screen, testLab);
    return { code, out: screen.out().replaceAll(home, "~"), err: screen.err().replaceAll(home, "~") };
  };
  return { assay, folder, home, seen, turn, file: (name: string) => join(home, name) };
}

const timeless = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g, "«time»");

describe("assay test", () => {
  test("in a log: one line per finding, the level, the report", async () => {
    const { code, out, err } = await lab(weatherRun).assay();
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(timeless(out).split("\n").slice(0, -6)).toEqual([
      "assay 1.0.0  rules 1.0.1-r1  http://127.0.0.1:9999  Weather Agent 2.3.0",
      "depth quick: up to 8 messages (each may be a model call and cost money)",
      "FAIL ERR-020 JSONRPC GetTask answers -32603 for an unknown task, want error.code -32001 (TaskNotFound) (§3.3.2, §5.4)",
      "FAIL LIST-003 JSONRPC nextPageToken is missing on the last page (§3.1.4)",
      "FAIL LIST-003 HTTP+JSON nextPageToken is missing on the last page (§3.1.4)",
      "WARN CACHE-001 card no Cache-Control on the card",
    ]);
    expect(timeless(out).trimEnd().split("\n").at(-1)).toBe("report: ~/.assay/runs/«time».html");
  });

  test("--fail-on new fails on the first run and on new failures, not on known ones", async () => {
    const { assay, turn } = lab(weatherRun);
    expect((await assay({ failOn: "new" })).code).toBe(1);
    const again = await assay({ failOn: "new" });
    expect([again.code, again.out]).toEqual([0, expect.stringContaining("Since the last run: no change.")]);
    expect(again.out).toMatch(/^gate passed: --fail-on new: no new failures$/m);
    turn([...weatherRun.slice(0, -1), result("GET-001", { verdict: "fail", interface: jsonRpc }), finished]);
    const worse = await assay({ failOn: "new" });
    expect([worse.code, worse.out]).toEqual([1, expect.stringContaining("gate: --fail-on new: 1 new failure")]);
  });

  const partial: Record<string, readonly RunEvent[]> = {
    "of one rule": [{ ...started, filtered: true } as RunEvent, found, planned, result("CARD-001"), finished],
    "at a smaller depth": [{ ...started, depth: "free" } as RunEvent, found, planned, result("CARD-001"), finished],
    "that was interrupted": [started, found, planned, result("CARD-001"), { ...finished, ending: "interrupted" }],
  };
  test.each(Object.entries(partial))("a run %s does not make old failures new", async (_, events) => {
    const { assay, turn } = lab(weatherRun);
    await assay();
    turn(events);
    await assay();
    turn(weatherRun);
    const { code, out } = await assay({ failOn: "new" });
    expect([code, out]).toEqual([0, expect.stringContaining("Since the last run: no change.")]);
  });

  test("a run of one rule that finds it fixed counts: a later failure is new", async () => {
    const { assay, turn } = lab(weatherRun);
    await assay();
    turn([
      { ...started, filtered: true } as RunEvent,
      found,
      planned,
      result("ERR-020", { interface: jsonRpc }),
      finished,
    ]);
    await assay();
    turn(weatherRun);
    const { code, out } = await assay({ failOn: "new" });
    expect([code, out]).toEqual([1, expect.stringContaining("gate: --fail-on new: 1 new failure")]);
  });

  test("--since compares with a JSON report, without earlier runs", async () => {
    const { assay, file, folder, turn } = lab(weatherRun);
    await assay({ report: [`json=${file("base.json")}`] });
    for (const name of folder.list()) rmSync(folder.eventsOf(name));
    const since = file("base.json");
    expect((await assay({ failOn: "new", since, record: false })).code).toBe(0);
    turn([...weatherRun.slice(0, -1), result("GET-001", { verdict: "fail", interface: jsonRpc }), finished]);
    expect((await assay({ failOn: "new", since, record: false })).code).toBe(1);
    const missing = assay({ failOn: "new", since: file("missing.json") });
    await expect(missing).rejects.toThrow("is neither a file nor a run");
  });

  test("on a terminal: the summary, where the report is, and what to do next", async () => {
    const { out } = await lab(weatherRun).assay({}, { isTerminal: true });
    const after = timeless(out).split("\u001b[?25h").at(-1)!;
    expect(after).toContain("\nFix first\n  1  GetTask answers -32603");
    expect(after.trimEnd().split("\n").slice(-2)).toEqual([
      "Report  ~/.assay/runs/«time».html   (json, junit, markdown: assay report last --report junit=…)",
      "Next    assay explain ERR-020   ·   assay init http://127.0.0.1:9999   ·   assay test … --depth full",
    ]);
  });

  test("records every event, and an HTML report beside it", async () => {
    const { assay, folder } = lab(weatherRun);
    await assay();
    const [run] = folder.list();
    expect(
      readFileSync(folder.eventsOf(run!), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(weatherRun);
    expect(readFileSync(folder.beside(run!, "html"), "utf8")).toContain("Weather Agent");
  });

  test("--no-record leaves nothing behind", async () => {
    const { assay, home } = lab(weatherRun);
    expect((await assay({ record: false })).code).toBe(1);
    expect(readdirSync(home)).toEqual([]);
  });

  test("a folder that cannot be written is no reason not to test", async () => {
    const { assay, file } = lab(faultless);
    writeFileSync(file(".assay"), "a file is in the way");
    const { code, err } = await assay();
    expect(code).toBe(0);
    expect(err).toContain("warning: cannot record this run");
  });

  test("--keep says how many runs stay", async () => {
    const { assay, folder } = lab(faultless);
    for (let run = 0; run < 3; run++) await assay({ keep: 2 });
    expect(folder.list()).toHaveLength(2);
  });

  test("--json prints the report and nothing else", async () => {
    const { code, out, err } = await lab(weatherRun).assay({ json: true });
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(JSON.parse(out)).toMatchObject({ agentName: "Weather Agent", summary: { failed: 3 } });
  });

  test("--report without a file goes to the output, and people are spoken to beside it", async () => {
    const { out, err } = await lab(weatherRun).assay({ report: ["junit"] });
    expect(out).toMatch(/^<\?xml/);
    expect(out).not.toContain("FAIL ERR-020 JSONRPC");
    expect(err).toContain("FAIL ERR-020 JSONRPC");
  });

  test("--report with files writes them, folders and all", async () => {
    const { assay, file } = lab(weatherRun);
    const { code } = await assay({ report: [`junit=${file("out/a.xml")}`, `markdown=${file("out/a.md")}`] });
    expect(code).toBe(1);
    expect(readdirSync(file("out"))).toEqual(["a.md", "a.xml"]);
  });

  test("--report github: annotations among the lines, and a summary behind what is there already", async () => {
    const { assay, file } = lab(weatherRun);
    writeFileSync(file("summary.md"), "# another step\n");
    vi.stubEnv("GITHUB_STEP_SUMMARY", file("summary.md"));
    const { code, out, err } = await assay({ report: ["github"], minExamined: 99 });
    vi.unstubAllEnvs();
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toContain("\nFAIL ERR-020 JSONRPC");
    expect(out.split("\n").filter((line) => line.startsWith("::"))).toEqual([
      expect.stringMatching(/^::error title=ERR-020 /),
      expect.stringMatching(/^::error title=LIST-003 /),
      expect.stringMatching(/^::warning title=CACHE-001 /),
      expect.stringMatching(/^::notice title=A2A%3A not conformant::/),
      expect.stringMatching(/^::error title=A2A%3A gate::--min-examined 99: /),
    ]);
    expect(readFileSync(file("summary.md"), "utf8")).toMatch(/^# another step\n## not conformant: Weather Agent/);
  });

  test("--report github leaves the output to another report, takes no file, and says when there is no summary", async () => {
    const { assay } = lab(weatherRun);
    vi.stubEnv("GITHUB_STEP_SUMMARY", undefined);
    const { out, err } = await assay({ report: ["github", "sarif"] });
    vi.unstubAllEnvs();
    expect(JSON.parse(out)).toMatchObject({ version: "2.1.0" });
    expect(err).toMatch(/^::error title=ERR-020 /m);
    expect(err).toContain("GITHUB_STEP_SUMMARY is not set");
    await expect(assay({ report: ["github=a.txt"] })).rejects.toThrow("cannot go to a file");
  });

  test("a report that cannot be written is exit 3, and nothing is lost", async () => {
    const { assay, file } = lab(weatherRun);
    mkdirSync(file("taken"));
    const { code, err } = await assay({ report: [`junit=${file("taken")}`, `json=${file("a.json")}`] });
    expect(code).toBe(3);
    expect(timeless(err)).toBe(
      `assay: cannot write the report to ~/taken (it is a directory). The run is saved in ~/.assay/runs/«time».ndjson
Write it again: assay report last --report junit=<other file>
`,
    );
    expect(existsSync(file("a.json"))).toBe(true);
  });

  test("a run that is recorded nowhere and whose report cannot be written is kept in a temporary file, and says where", async () => {
    const { assay, file } = lab(weatherRun);
    mkdirSync(file("taken"));
    const { code, err } = await assay({ record: false, report: [`junit=${file("taken")}`] });
    expect(code).toBe(3);
    expect(err).toContain("cannot write the report to ~/taken (it is a directory).\n");
    const [, kept] = /The run is saved in (\S+\.ndjson)\./.exec(err) ?? [];
    expect(readRun(kept!)).toEqual(weatherRun);
    rmSync(dirname(kept!), { recursive: true });
  });

  test("where not even that can be written, all its reports follow in their formats", () => {
    const screen = paperScreen({ isTerminal: false });
    const run = { events: weatherRun, report: foldRun(weatherRun) };
    // A file cannot contain a folder, so nothing can be written here.
    const nowhere = join(fileURLToPath(import.meta.url), "nowhere");
    rescue(run, ["junit", "markdown"], reporters, screen, nowhere);
    const why = `Cannot save the run in ${nowhere} either.`;
    expect(screen.err()).toBe(`${why} The junit report follows.\n${why} The markdown report follows.\n`);
    expect(screen.out()).toBe(reporters.junit(run) + reporters.markdown(run));
  });

  test.each([
    [["junt"], 'unknown format "junt". Did you mean junit?'],
    [["junit="], "missing file name after ="],
    [["json", "junit"], "Only one report can go to stdout, but you asked for json and junit"],
  ])("--report %j is wrong usage", async (report, says) => {
    await expect(lab(weatherRun).assay({ report })).rejects.toThrow(says);
  });

  test("a missing agent is exit 2 with the next step, and leaves no run", async () => {
    const { assay, folder } = lab(silent("unreachable"));
    const { code, out, err } = await assay();
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: `Cannot reach ${agent}.\nIs it running?   exit 2\n`,
    });
    expect(folder.list()).toEqual([]);
  });

  test("an interrupted run is exit 130, with what was found", async () => {
    const cut = [...weatherRun.slice(0, 8), { ...finished, ending: "interrupted" } as RunEvent];
    const { code, out } = await lab(cut).assay();
    expect(code).toBe(130);
    expect(out).toContain("interrupted: 2 rules broken");
  });

  test("Ctrl-C cancels the run in order, and its findings so far are shown", async () => {
    const { folder } = lab([]);
    const patient: TestDependencies = {
      folder,
      reporters,
      async *testAgent({ signal }) {
        yield* weatherRun.slice(0, 8);
        const stopped = new Promise((resolve) => signal?.addEventListener("abort", resolve));
        process.emit("SIGINT", "SIGINT");
        await stopped;
        yield { ...finished, ending: "interrupted" } as RunEvent;
      },
    };
    const screen = paperScreen({ isTerminal: false });
    const listeners = process.listenerCount("SIGINT");
    expect(await runTest(agent, { config: false }, screen, patient)).toBe(130);
    expect(screen.out()).toContain("Stopping and cleaning up. Press Ctrl-C again to stop at once.\n");
    expect(screen.out()).toContain("interrupted: 2 rules broken");
    expect(process.listenerCount("SIGINT")).toBe(listeners);
  });

  test("an agent that --start cannot start is exit 2, with what it said", async () => {
    const { folder } = lab([]);
    const patient: TestDependencies = {
      folder,
      reporters,
      async *testAgent({ signal }) {
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
        yield* silent("interrupted");
      },
    };
    const screen = paperScreen({ isTerminal: false });
    const start = "echo 'no such module' >&2; exit 1";
    expect(await runTest("http://127.0.0.1:1", { config: false, start }, screen, patient)).toBe(2);
    expect(screen.err()).toContain("exited with code 1; its last line:\n  │ no such module\n");
    expect(folder.list()).toEqual([]);
  });

  test.each([
    ["must", faultless, 0],
    ["must", weatherRun, 1],
    ["never", weatherRun, 0],
    ["should", [...faultless.slice(0, -1), result("CACHE-001", { warning: "w", level: "SHOULD" }), finished], 1],
  ] as const)("--fail-on %s", async (failOn, events, code) => {
    const ran = await lab(events).assay({ failOn });
    expect(ran.code).toBe(code);
    expect(ran.out.match(/^gate passed: .*$/m)?.[0]).toBe(
      failOn === "never" ? "gate passed: --fail-on never" : undefined,
    );
  });

  test.each([
    [undefined, "no URL given"],
    ["", "the URL is empty"],
    ["  ", "the URL is empty"],
    ["ftp://x", "is neither http nor https"],
  ])("%j is no agent", async (url, says) => {
    const screen = paperScreen({ isTerminal: false });
    await expect(runTest(url, { config: false }, screen)).rejects.toThrow(says);
  });

  test("an option that does not fit the agent is wrong usage, and leaves no run", async () => {
    const { folder } = lab([]);
    const unfit: TestDependencies = {
      folder,
      reporters,
      // biome-ignore lint/correctness/useYield: it fails before the first event
      async *testAgent() {
        throw new UsageError("--skill x: the card has no skill of that name.", "There are: y");
      },
    };
    const screen = paperScreen({ isTerminal: false });
    await expect(runTest(agent, { config: false }, screen, unfit)).rejects.toThrow(UsageError);
    expect([screen.err(), folder.list()]).toEqual(["", []]);
  });

  test("an engine that crashes is an internal error, and the results so far stay", async () => {
    const { folder } = lab([]);
    const broken: TestDependencies = {
      folder,
      reporters,
      async *testAgent() {
        yield* weatherRun.slice(0, 5);
        throw new Error("a bug");
      },
    };
    const screen = paperScreen({ isTerminal: false });
    await expect(runTest(agent, { config: false }, screen, broken)).rejects.toThrow("a bug");
    expect(screen.err()).toContain("The results so far are in");
    const again = paperScreen({ isTerminal: false });
    expect(await makeReports(["last"], {}, again, folder)).toBe(0);
    expect(again.out()).toContain("cut off: ");
  });
});

describe("a baseline", () => {
  const entry = "- check: SEND-001\n  reason: waits for a release\n";

  test("goes to the engine, and an entry that now passes fails the run", async () => {
    const { assay, file, seen } = lab(faultless);
    writeFileSync(file("known.yaml"), entry);
    const { code, out } = await assay({ baseline: file("known.yaml") });
    expect(seen[0]?.baseline).toEqual([{ check: "SEND-001", reason: "waits for a release" }]);
    expect(code).toBe(1);
    expect(out).toContain("FIXED SEND-001 passes now. Remove it from ~/known.yaml");
  });

  test("one that is flaky does not", async () => {
    const { assay, file } = lab(faultless);
    writeFileSync(file("known.yaml"), `${entry}  flaky: true\n`);
    expect((await assay({ baseline: file("known.yaml") })).code).toBe(0);
  });

  test("--baseline-update writes it, and the run is fine with that", async () => {
    const { assay, file } = lab(weatherRun);
    const { code, out } = await assay({ baseline: file("new.yaml"), baselineUpdate: true });
    expect(code).toBe(0);
    expect(out).toContain("~/new.yaml now lists 2 known failures.");
    expect(readFileSync(file("new.yaml"), "utf8")).toContain("check: ERR-020");
  });
});

describe("assay.yaml", () => {
  test("speaks for the project, and flags win over it", async () => {
    const { assay, file, seen } = lab(faultless);
    vi.stubEnv("TOKEN", "t0ken-of-mine");
    vi.stubEnv("OTHER", "t0ken-of-another");
    writeFileSync(
      file("assay.yaml"),
      `
url: http://127.0.0.1:7777/a
depth: full
prompts: { slow: wait a little }
principals:
  default: { bearer: env:TOKEN }
  second: { headers: { X-Key: env:OTHER } }
timeouts: { task: 600, grace: 2 }
skip: [PUSH-*]
allowHosts: [peer.example]
`,
    );
    await assay(
      { config: file("assay.yaml"), depth: "free", webhookListen: { host: "127.0.0.1", port: 8080 } },
      { isAddressed: false },
    );
    vi.unstubAllEnvs();
    const [{ connection: _, version: __, signal: ___, run: ____, onWait: _____, ...options }] = seen as [TestOptions];
    expect(options).toEqual({
      url: "http://127.0.0.1:7777/a",
      depth: "free",
      prompts: { slow: "wait a little" },
      headers: [["Authorization", "Bearer t0ken-of-mine"]],
      secrets: [
        { name: "bearer", value: "t0ken-of-mine" },
        { name: "second-x-key", value: "t0ken-of-another" },
      ],
      principals: { second: { headers: [["X-Key", "t0ken-of-another"]] } },
      taskTimeout: 600_000,
      grace: 2_000,
      skip: ["PUSH-*"],
      webhook: { listen: { host: "127.0.0.1", port: 8080 } },
      baseline: [],
    });
  });

  test("a secret in it is taken with a warning; credentials on the command line come in its place", async () => {
    const { assay, file, seen } = lab(faultless);
    writeFileSync(file("assay.yaml"), "principals: { default: { bearer: literal } }");
    const { err } = await assay({ config: file("assay.yaml") });
    expect(err).toContain("assay.yaml: principals.default.bearer: everyone who can read the file can read this secret");
    await assay({ config: file("assay.yaml"), apiKey: "X-Key=other" });
    expect(seen.map(({ headers }) => headers)).toEqual([[["Authorization", "Bearer literal"]], [["X-Key", "other"]]]);
  });

  test("principals show a key in the address or in a cookie, or a certificate; some are to be refused", async () => {
    const { assay, file, seen } = lab(faultless);
    for (const name of ["a.pem", "a.key", "b.pem", "b.key"]) writeFileSync(file(name), `the text of ${name}`);
    writeFileSync(
      file("assay.yaml"),
      [
        "principals:",
        "  default: { apiKey: query:key=in-the-address, cert: a.pem, key: a.key }",
        "  second: { apiKey: cookie:sid=in-a-cookie, cert: b.pem, key: b.key }",
        "  invalid: { expired: { bearer: an-old-token } }",
      ].join("\n"),
    );
    await assay({ config: file("assay.yaml") });
    const { headers, query, connection, principals, secrets = [] } = seen[0]!;
    expect({ headers, query, tls: connection.tls, principals }).toEqual({
      headers: [],
      query: [["key", "in-the-address"]],
      tls: { cert: "the text of a.pem", key: "the text of a.key" },
      principals: {
        second: {
          headers: [["Cookie", "sid=in-a-cookie"]],
          certificate: { cert: "the text of b.pem", key: "the text of b.key" },
        },
        invalid: { expired: { headers: [["Authorization", "Bearer an-old-token"]] } },
      },
    });
    expect(secrets.map(({ name, value }) => `${name}: ${value}`)).toEqual([
      "api-key: in-the-address",
      "second-api-key: in-a-cookie",
      "invalid-expired-bearer: an-old-token",
    ]);
  });

  test("a certificate without its key is wrong usage", async () => {
    const { assay, file } = lab(faultless);
    writeFileSync(file("assay.yaml"), "principals: { second: { cert: b.pem } }");
    await expect(assay({ config: file("assay.yaml") })).rejects.toThrow(
      "principals.second.cert requires principals.second.key",
    );
  });

  test("--principal tests as somebody else of the file", async () => {
    const { assay, file, seen } = lab(faultless);
    writeFileSync(file("assay.yaml"), "principals: { restricted: { headers: { X-Who: carol } } }");
    await assay({ config: file("assay.yaml"), principal: "restricted" });
    expect(seen[0]?.headers).toEqual([["X-Who", "carol"]]);
    await expect(assay({ config: file("assay.yaml"), principal: "second" })).rejects.toThrow("has no such principal");
  });
});

describe("--failed", () => {
  test("tests what failed last time, and what it held up", async () => {
    const { assay, seen } = lab(weatherRun);
    await assay();
    await assay({ failed: true });
    expect([...seen[1]!.only!].sort()).toEqual(["ERR-020", "GET-007", "GET-008", "LIST-003"]);
  });

  test("has nothing to do where nothing failed", async () => {
    const { assay, seen } = lab(faultless);
    await assay();
    expect(await assay({ failed: true })).toMatchObject({ code: 0, out: expect.stringContaining("Nothing failed") });
    expect(seen).toHaveLength(1);
  });

  test("needs a run to go by, and no other filter", async () => {
    await expect(lab(faultless).assay({ failed: true })).rejects.toThrow("no earlier run of http://127.0.0.1:9999");
    await expect(lab(faultless).assay({ failed: true, only: ["SEND-001"] })).rejects.toThrow("cannot be combined");
  });
});

describe("--repeat", () => {
  test("says that the verdicts are the same", async () => {
    const { assay, seen } = lab(weatherRun);
    const { code, out } = await assay({ repeat: 3 });
    expect(seen).toHaveLength(3);
    expect(code).toBe(1);
    expect(out).toContain("3 runs, always the same verdicts.");
  });

  test("names those that differ", async () => {
    const { assay, seen, turn } = lab(faultless);
    turn(weatherRun);
    const { code, out } = await assay({ repeat: 2 });
    expect(seen).toHaveLength(2);
    expect(code).toBe(1);
    expect(out).toContain("  ERR-020 JSON-RPC: not-examined, fail");
  });
});
