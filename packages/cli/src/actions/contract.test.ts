import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-contract-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function contract(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(["client", "--contract", "a2a-cli", ...args], screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** A tool that has only completion. */
const tool = join(folder, "small-tool.js");
writeFileSync(
  tool,
  "if (process.argv.slice(2).join() === 'completion,bash') console.log('complete -W send a2a'); else process.exit(2);",
);
const least = ["--only", "CLI_002,CHAT_001", "--", process.execPath, tool];

describe("assay client --contract a2a-cli", () => {
  test("writes the report with an outcome for every requirement", async () => {
    const file = join(folder, "report.yaml");
    const { code, out } = await contract("--out", file, ...least);
    const report = parse(readFileSync(file, "utf8"));
    expect(Object.keys(report.requirements)).toHaveLength(66);
    expect(report.report).toMatchObject({ tool: "small-tool.js", spec_revision: "2026-08-17", tier_claimed: "none" });
    expect(report.requirements.A2ACLI_CLI_002).toMatchObject({
      status: "pass",
      tier: 2,
      area: "CLI",
      note: "measured: completion bash, and completion for an unknown shell",
    });
    expect(report.requirements.A2ACLI_CHAT_001).toMatchObject({
      status: "fail",
      note: "expected: the command chat; seen: the tool does not have it",
      evidence: "small-tool.js chat --help",
    });
    expect(report.requirements.A2ACLI_SEND_001).toMatchObject({ status: "not_measured", note: "excluded by --only" });
    expect(out).toContain("FAIL A2ACLI_CHAT_001");
    expect(out).toContain("  fix       Add the command chat.");
    expect(out).toMatch(/Tier 2 Standard +1 pass, 14 not measured of 15: not satisfied/);
    expect(out).toContain("Tier reached: none");
    expect(code).toBe(1);
  });

  test("prints only the report with --json", async () => {
    const { out, err } = await contract("--json", "--out", join(folder, "again.yaml"), ...least);
    expect(JSON.parse(out).summary.tier_2).toMatchObject({ pass: 1, not_measured: 14, satisfied: false });
    expect(err).toContain("A2ACLI_CLI_002");
  });

  test("lists the requirements and how they are measured", async () => {
    const { code, out } = await contract("--list");
    expect(out.match(/^A2ACLI_/gm)).toHaveLength(66);
    expect(code).toBe(0);
  });

  test.each([
    ["--contract needs a command", []],
    ["--contract cannot be combined with --situation", ["--situation", "send", ...least]],
    ["--contract cannot be combined with --binding", ["--binding", "JSONRPC", ...least]],
    ["--contract cannot be combined with --write-profile", ["--write-profile", "a.json", ...least]],
    ["--contract cannot be combined with --skip", ["--skip", "SEND-*", ...least]],
    ["--contract cannot be combined with --fail-on", ["--fail-on", "must", ...least]],
    ["--contract cannot be combined with --require-level", ["--require-level", "full", ...least]],
    ["--contract cannot be combined with --no-record", ["--no-record", ...least]],
    ["--only NOPE: the contract has no such requirement", ["--only", "NOPE", "--", "true"]],
    ["the folder does not exist", ["--out", join(folder, "nowhere", "report.yaml"), ...least]],
    ["no such folder", ["--agent-skill", join(folder, "nowhere"), ...least]],
    ["cannot start", ["--out", join(folder, "none.yaml"), "--", join(folder, "no-such-tool")]],
  ])("%s: exit code 2", async (message, args) => {
    const { code, err } = await contract(...args);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  test("neither a folder with the name of the tool nor a credential becomes the tool", async () => {
    const file = join(folder, "named.yaml");
    const before = process.cwd();
    mkdirSync(join(folder, "node"));
    mkdirSync(join(folder, "a2a"));
    process.chdir(folder);
    try {
      const { out } = await contract("--json", "--out", file, "--only", "CLI_002", "--", "node", "small-tool.js");
      expect(JSON.parse(out).report.tool).toBe("small-tool.js");
      expect(JSON.parse(out).requirements.A2ACLI_CLI_002.status).toBe("pass");
      const words = ["a2a", "--token", "s3cret-4711"];
      const says = `if (process.argv[2] === "a2a") console.log(process.argv[4])`;
      writeFileSync(join(folder, "says.js"), says);
      const { out: other } = await contract("--json", "--only", "CLI_002", "--", "node", "says.js", ...words);
      expect(other).not.toContain("s3cret-4711");
      expect(JSON.parse(other).requirements.A2ACLI_CLI_002.note).toContain("«secret:token»");
      expect(JSON.parse(other).report.tool).toBe("says.js");
    } finally {
      process.chdir(before);
    }
  });

  test("its options need it", async () => {
    const screen = paperScreen({ isTerminal: false });
    expect(await run(["client", "--tier", "2", "--", "true"], screen)).toBe(2);
    expect(screen.err()).toContain("--tier needs --contract a2a-cli");
  });
});
