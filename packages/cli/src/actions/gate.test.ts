import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServedTestbed, serveTestbed } from "@assay/library";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-gate-"));
const inFolder = (name: string): string => join(folder, name);
let bed: ServedTestbed;

beforeAll(async () => {
  bed = await serveTestbed({ timeScale: 0.05 });
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  const response = await fetch(`${bed.url}/full/.well-known/agent-card.json`);
  const card = (await response.json()) as Record<string, unknown>;
  writeFileSync(inFolder("released.json"), JSON.stringify(card));
  const before = [...(card["skills"] as object[]), { id: "gone", name: "Gone", description: "Is gone.", tags: [] }];
  writeFileSync(inFolder("more.json"), JSON.stringify({ ...card, skills: before }));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  vi.restoreAllMocks();
  await bed.close();
});

async function gate(policy: string, { agent = "full", args = [] as readonly string[] } = {}) {
  writeFileSync(inFolder("gate.yaml"), policy);
  const screen = paperScreen({ isTerminal: false });
  const code = await run(["gate", `${bed.url}/${agent}`, "--policy", inFolder("gate.yaml"), ...args], screen);
  return { code, out: screen.out(), complaint: screen.err() };
}

const statuses = (out: string): string[] =>
  out
    .split("\n")
    .flatMap((line) => /^[✓✗?] (\w+) +(passed|failed|not examined) /.exec(line)?.slice(1, 3).join(" ") ?? []);

test("a good agent passes every gate", async () => {
  const { code, out } = await gate(`
test: { depth: quick }
cardDiff: { released: released.json }
signature: {}
forecast: { clients: [Python SDK 1], minWorking: 1 }
`);
  expect(statuses(out)).toEqual(["test passed", "cardDiff passed", "signature passed", "forecast passed"]);
  expect(out).toContain("Gate passed");
  expect(code).toBe(0);
});

test("test fails on a broken agent, with the rule, also in SARIF and JSON", async () => {
  const files = ["--report", `sarif=${inFolder("gate.sarif")}`, "--report", `json=${inFolder("gate.json")}`];
  const agent = "mutants/CARD-005.number";
  const { code, out } = await gate("test: { depth: card }", { agent, args: files });
  expect(statuses(out)).toEqual(["test failed"]);
  expect(code).toBe(1);
  const sarif = JSON.parse(readFileSync(inFolder("gate.sarif"), "utf8"));
  expect(sarif.runs).toHaveLength(2);
  expect(sarif.runs[1].results).toMatchObject([{ ruleId: "assay-gate-test", level: "error" }]);
  expect(JSON.parse(readFileSync(inFolder("gate.json"), "utf8"))).toMatchObject({
    verdict: "failed",
    gates: [{ gate: "test", status: "failed" }],
  });
});

test("cardDiff fails on a skill that is gone", async () => {
  const { code, out } = await gate("cardDiff: { released: more.json }");
  expect(code).toBe(1);
  expect(out).toContain(`breaking: The skill "gone" is gone.`);
});

test("signature fails on an unsigned card", async () => {
  const { code, out } = await gate("signature: {}", { agent: "echo" });
  expect(code).toBe(1);
  expect(out).toContain("✗ signature  failed        The card has no signature.");
});

test("signature is not examined, and never passes, if the key is on a host that the policy does not name", async () => {
  const { code, out } = await gate("signature: { key: keys.example.com }");
  expect(statuses(out)).toEqual(["signature not examined"]);
  expect(code).toBe(2);
});

test("forecast fails if too few clients can work", async () => {
  const { code, out } = await gate("test: { depth: card }\nforecast: { minWorking: 1000 }");
  expect(statuses(out)).toEqual(["test passed", "forecast failed"]);
  expect(code).toBe(1);
});

test("an agent without a card passes no gate", async () => {
  const { code, out } = await gate("test: { depth: card }\ncardDiff: { released: released.json }\nsignature: {}", {
    agent: "nothing",
  });
  expect(statuses(out)).toEqual(["test not examined", "cardDiff not examined", "signature not examined"]);
  expect(out).toContain("Gate not examined");
  expect(code).toBe(2);
});

test("a missing released card is not examined", async () => {
  const { code, out } = await gate("cardDiff: { released: nowhere.json }");
  expect(out).toMatch(/\? cardDiff +not examined +card: cannot read .*nowhere\.json: file not found/);
  expect(code).toBe(2);
});

test("a mistake in the policy is named in the words of the policy", async () => {
  const limit = await gate("test: { minExamined: 200 }");
  expect(limit.complaint).toContain("test.minExamined: expected a percentage from 0 to 100, found 200");
  const { code, out } = await gate("signature: { key: nowhere.pem }");
  expect(out).toMatch(/\? signature +not examined +signature\.key: cannot read \/.*nowhere\.pem: file not found/);
  expect(code).toBe(2);
});

test("on GitHub, the verdict is in the job summary and in annotations", async () => {
  vi.stubEnv("GITHUB_STEP_SUMMARY", inFolder("summary.md"));
  const { out } = await gate("cardDiff: { released: more.json }");
  expect(readFileSync(inFolder("summary.md"), "utf8")).toContain("| cardDiff | failed | 1 breaking, 0 risky");
  expect(out).toContain("/full%3A A2A gate cardDiff%3A failed::1 breaking");
});

test("two agents have different categories and fingerprints, and annotations name the agent", async () => {
  const seen = [];
  for (const agent of ["mutants/CARD-003.no-name", "mutants/CARD-003.null"]) {
    vi.stubEnv("GITHUB_STEP_SUMMARY", inFolder("agents.md"));
    const args = ["--report", `sarif=${inFolder("agents.sarif")}`];
    const { out } = await gate("test: { depth: card }", { agent, args });
    const text = readFileSync(inFolder("agents.sarif"), "utf8");
    seen.push(...[...text.matchAll(/"(?:assayFinding\/v1|id)": "((?:assay\/|http).*?)"/g)].map(([, each]) => each!));
    expect(out).toContain(`::error title=${bed.url.replaceAll(":", "%3A")}/${agent}%3A A2A gate test%3A failed::`);
  }
  expect(seen.filter((each) => each.startsWith("assay/gate/"))).toHaveLength(2);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a failed demand is said once, in the words of the policy, with the reason", async () => {
  const { code, out } = await gate("test: { depth: card, requireLevel: minimal, minExamined: 100 }");
  expect(out).toMatch(
    /✗ test +failed +requireLevel minimal: there is no level \(Assay examined only the card\); minExamined 100: \d+ % of the applicable rules were examined\n\nGate failed/,
  );
  expect(code).toBe(1);
});

test("a missing or empty policy is named in words", async () => {
  const { complaint } = await gate("");
  expect(complaint).toContain("gate.yaml:1:1 the file is empty: expected names with values");
  const screen = paperScreen({ isTerminal: false });
  await run(["gate", bed.url, "--policy", "nowhere.yaml"], screen);
  expect(screen.err()).toContain("Policy not found: nowhere.yaml");
});

test("a report that cannot be written goes to stdout, unless stdout has the JSON", async () => {
  const lost = ["--report", "json=/proc/nowhere/gate.json"];
  const { code, out, complaint } = await gate("test: { depth: card }", { args: lost });
  expect(complaint).toMatch(/cannot write \/proc\/nowhere\/gate\.json: .*\. The report goes to stdout instead\./);
  expect(JSON.parse(out.slice(out.indexOf("\n{")))).toMatchObject({ verdict: "passed" });
  expect(code).toBe(3);
  const json = await gate("test: { depth: card }", { args: ["--json", ...lost] });
  expect(json.complaint).not.toContain("stdout");
  expect(JSON.parse(json.out)).toMatchObject({ verdict: "passed" });
  expect(json.code).toBe(3);
});

test("a passed test names its warnings", async () => {
  const { code, out } = await gate("test: { depth: card }", { agent: "mutants/CACHE-001.no-store" });
  expect(out).toMatch(/✓ test +passed +no examined rule is broken; 1 warning; examined/);
  expect(code).toBe(0);
});

describe("a login in the address", () => {
  const password = "s3cret-passw0rd";
  const pair = Buffer.from(`u:${password}`).toString("base64");
  // The card repeats the login in places that gates quote.
  const echoing = createServer(({ headers }, response) => {
    const said = (headers.authorization ?? "").replace(/^Basic /, "");
    const decoded = Buffer.from(said, "base64").toString("utf8");
    response.end(JSON.stringify({ name: decoded, version: said, skills: [{ id: decoded, name: said }] }));
  });
  beforeAll(async () => void (await once(echoing.listen(0, "127.0.0.1"), "listening")));
  afterAll(() => void echoing.close());

  test.each([
    ["on stdout", []],
    ["with --json", ["--json"]],
  ])("is in no text that the gate writes, %s", async (_, more) => {
    const { port } = echoing.address() as AddressInfo;
    const summary = inFolder("login-summary.md");
    vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
    const files = ["json", "sarif", "markdown"].map((format) => [format, inFolder(`login.${format}`)] as const);
    const reports = files.flatMap(([format, file]) => ["--report", `${format}=${file}`]);
    writeFileSync(inFolder("gate.yaml"), "test: { depth: card }\ncardDiff: { released: more.json, failOn: risky }");
    const screen = paperScreen({ isTerminal: false });
    const address = `http://u:${password}@127.0.0.1:${port}/?api_key=${password}`;
    const code = await run(["gate", address, "--policy", inFolder("gate.yaml"), ...reports, ...more], screen);
    expect(code).toBe(1);
    const written = [...files.map(([, file]) => file), summary].map((file) => readFileSync(file, "utf8"));
    for (const text of [screen.out(), screen.err(), ...written]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(pair);
    }
    expect(JSON.parse(written[0]!)).toMatchObject({
      agent: `http://127.0.0.1:${port}/?api_key=«secret:api_key»`,
      gates: [{ gate: "test" }, { gate: "cardDiff", status: "failed" }],
    });
  });
});

test.each([
  ["tests: {}", "Did you mean test?"],
  ["test: { dept: quick }", "Did you mean depth?"],
  ["cardDiff: { release: x }", "Did you mean released?"],
  ["forecast: { clients: [Pyton SDK] }", "Did you mean Python SDK?"],
  ["signature:", "signature"],
  ["forecast: {}", "demands nothing"],
  ["{}", "demands nothing"],
])("a wrong policy is an error: %s", async (policy, complaint) => {
  const { code, complaint: said, out } = await gate(policy);
  expect(code).toBe(2);
  expect(said).toContain(complaint);
  expect(out).toBe("");
});
