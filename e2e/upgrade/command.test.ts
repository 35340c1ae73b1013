import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lintCard } from "@assay/protocol";
import type { UpgradePlan } from "@assay/upgrade";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { isProof, provesAll } from "../fixtures/proves-all.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

const bed = useTestbed({ timeScale: 0.05 });
const folder = mkdtempSync(join(tmpdir(), "assay-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function upgrade(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await run(["upgrade", ...args], screen);
  return { code, out: screen.out(), err: screen.err() };
}

const quietly = ["--no-record", "--no-config", "--grace", "0.3", "--binding", "JSONRPC"];

describe("the plan for an agent", { concurrent: true }, () => {
  test("goes to stdout as JSON, and the cards and reports to files, without secrets", async () => {
    const secret = "hunter2-hunter2";
    const file = (name: string): string => join(folder, name);
    const { code, out } = await upgrade(
      `${bed.url}/spec03`,
      ...quietly,
      ...["--json", "--header", `X-Key:${secret}`, "--report", `markdown=${file("plan.md")}`],
      ...["--report", `html=${file("plan.html")}`, "--write-card", file("next.json")],
      ...["--write-both-card", file("both.json")],
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ format: "assay-upgrade-plan/1", from: "0.3", to: "1.0" });
    const written = ["plan.md", "plan.html", "next.json", "both.json"].map((name) => readFileSync(file(name), "utf8"));
    expect([out, ...written].filter((text) => text.includes(secret))).toEqual([]);
    const [markdown, , next, both] = written;
    expect(markdown).toContain("# Upgrade Spec Agent 0.3 from A2A 0.3 to 1.0");
    expect(markdown).not.toContain("Recording");
    for (const card of [next, both])
      expect(lintCard(JSON.parse(card!)).filter(({ level }) => level === "error")).toEqual([]);
    expect(JSON.parse(both!)).toMatchObject({
      protocolVersion: expect.stringMatching(/^0\.3/),
      url: expect.any(String),
    });
    expect(JSON.parse(next!)).not.toHaveProperty("url");
  });

  test("spends its messages on the older version of an agent that speaks 1.0 too", async () => {
    const { code, out } = await upgrade(`${bed.url}/spec`, ...quietly, "--budget", "3", "--json");
    expect(code).toBe(0);
    const { speaks, operations } = JSON.parse(out) as Pick<UpgradePlan, "speaks" | "operations">;
    expect(speaks).toEqual(["1.0", "0.3"]);
    const recorded = operations.filter(({ samples }) => samples.some(({ error }) => error === undefined));
    expect(recorded.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["SendMessage", "SendStreamingMessage", "GetTask"]),
    );
  });

  test.runIf(provesAll)("is printed for people, with both versions side by side", async () => {
    const { code, out } = await upgrade(`${bed.url}/spec02`, ...quietly);
    expect(code).toBe(0);
    expect(out).toContain("Upgrade Spec Agent 0.2 from A2A 0.2 to 1.0");
    expect(out).toMatch(/-\s+"method": "message\/send",\s+\+\s+"method": "SendMessage",/);
  });

  test.runIf(provesAll)("is not needed in 1.0", async () => {
    const { code, err } = await upgrade(`${bed.url}/echo`, ...quietly, "--budget", "1");
    // The echo agent speaks 0.3 as well.
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { code: none, err: because } = await upgrade(`${bed.url}/minimal`, ...quietly, "--budget", "1");
    expect({ none, because }).toMatchObject({ none: 2, because: expect.stringContaining("speaks only A2A 1.0") });
  });
});

describe("--check exits with", { concurrent: true }, () => {
  const endings = [
    [1, "mutants/V03-VER-004.no-files"],
    [0, "spec"],
    [2, "spec03"],
  ] as const;
  test.each(isProof ? endings : endings.slice(0, 1))("%i for /%s", async (wanted, path) => {
    const { code, out } = await upgrade("--check", `${bed.url}/${path}`, ...quietly, "--json");
    const { outcome } = JSON.parse(out) as { outcome: string };
    expect({ code, outcome }).toEqual({ code: wanted, outcome: ["equivalent", "different", "unknown"][wanted] });
  });
});

describe.runIf(provesAll)("assay test --equivalent exits with", { concurrent: true }, () => {
  const versions = ["--dialect", "0.3", "--dialect", "1.0", "--equivalent", "--depth", "quick", "--only", "V03-VER-*"];
  test.each([
    [0, "spec", ["--fail-on", "must"], undefined],
    // The rule about tasks in both versions is a SHOULD, so only the comparison decides.
    [1, "mutants/V03-VER-003.own-store", [], "gate: --equivalent: the versions differ: task from"],
    [2, "spec", ["--dialect", "0.3"], "gate: --equivalent: nothing was compared"],
  ])("%i for /%s", async (wanted, path, more, gate) => {
    const screen = paperScreen();
    const asked = more.includes("0.3")
      ? ["--equivalent", "--depth", "quick", "--only", "V03-VER-*", ...more]
      : [...versions, ...more];
    const code = await run(["test", `${bed.url}/${path}`, ...asked, ...quietly], screen);
    expect({ code, gate: screen.out().includes(gate ?? "0.3 and 1.0 over JSON-RPC: ") }).toEqual({
      code: wanted,
      gate: true,
    });
  });
});

/** A client of 0.3 whose message has words of its own. */
const talkativeClient = `
const { ASSAY_AGENT_URL: base, ASSAY_ACTION: action } = process.env;
if (action !== "send") process.exit(75);
const { url } = await (await fetch(base + "/.well-known/agent-card.json")).json();
const words = ["my", "hovercraft", "is", "full"].join(" ");
const message = { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text: words }] };
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
console.log(await answer.text());
`;

describe("the plan for a client", { concurrent: true }, () => {
  const client = (file: string): string => join(import.meta.dirname, "../clients", file);

  test.runIf(isProof)("that speaks only older versions shows each call in 1.0", async () => {
    const { code, out } = await upgrade(
      "--client",
      "--no-record",
      "--binding",
      "JSONRPC",
      "--json",
      "--",
      "node",
      join(import.meta.dirname, "older-client.js"),
    );
    expect(code).toBe(1);
    const plan = JSON.parse(out) as {
      isReady: boolean;
      speaks: { version: string }[];
      changes: { id: string; fix: string }[];
    };
    expect(plan.isReady).toBe(false);
    expect(plan.changes.find(({ id }) => id === "method")?.fix).toBe("Call the new method names.");
    expect(plan.speaks.map(({ version }) => version)).toEqual(["0.3", "0.2"]);
    expect(plan.changes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["method", "version-header", "role", "part"]),
    );
  });

  test.runIf(provesAll)("that speaks 1.0 says that it is ready", async () => {
    const { code, out } = await upgrade(
      "--client",
      "--no-record",
      "--binding",
      "JSONRPC",
      "--",
      "node",
      client("client.js"),
    );
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining("is ready for agents that speak only 1.0"),
    });
  });

  test.runIf(isProof)("keeps no words of the client with --redact, in the plan and in the recording", async () => {
    const plan = join(folder, "client.md");
    const { code, out } = await upgrade(
      ...["--client", "--no-record", "--redact", "--json", "--binding", "JSONRPC", "--report", `markdown=${plan}`],
      ...["--", "node", "-e", talkativeClient],
    );
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ isReady: false, speaks: [{ version: "0.3" }, { version: "0.2" }] });
    expect([out, readFileSync(plan, "utf8")].filter((text) => text.includes("my hovercraft"))).toEqual([]);
  });

  test("that sends nothing is impossible", async () => {
    expect(await upgrade("--client", "--no-record", "--", "node", "-e", "0")).toMatchObject({ code: 2 });
  });
});

test.each([
  [["--check", "--client"], "--check and --client cannot be combined"],
  [["--client"], "--client needs a command"],
  [["a", "b"], "Only one agent at a time, but you named 2"],
  [["--check", "--write-card", "x", "http://127.0.0.1:1"], "belong to the plan for an agent"],
  [
    ["--client", "--budget", "2", "--header", "X-Key:1", "--", "node", "x"],
    "--budget, --header: these options belong to agents",
  ],
  [["--client", "--matrix", "m.json", "--", "node", "x"], "--matrix: this option belongs to agents"],
  [["http://127.0.0.1:1", "--report", "pdf"], 'unknown format "pdf"'],
  [["http://127.0.0.1:1", "--json", "--report", "markdown"], "Only one report can go to stdout"],
])("%j is wrong usage", async (args, message) => {
  const { code, err } = await upgrade(...args);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
