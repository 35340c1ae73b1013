import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-client-"));
// What the command loads on its way is loaded before its time is taken.
beforeAll(async () => {
  await import("@assay/clients");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function client(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(["client", "--no-record", ...args], screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** The least: one situation, one interface. */
const least = ["--dialect", "1.0", "--binding", "JSONRPC", "--situation", "send"];

/** Sends a message by curl, with these headers. */
const sending = (...headers: string[]): string[] => {
  const message = '{"messageId":"1","role":"ROLE_USER","parts":[{"text":"hi"}]}';
  const body = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`;
  const fields = ["Content-Type: application/json", ...headers].flatMap((header) => ["-H", header]);
  return ["--", "curl", "-s", ...fields, "-d", body, "{url}/agent"];
};

describe("assay client", () => {
  test("says that a client conforms, as far as examined", async () => {
    const { code, out } = await client(...least, ...sending("A2A-Version: 1.0"));
    expect(out).toMatch(/conformant \(some rules only\): no rule broken, no warnings; examined \d+ of/);
    expect(code).toBe(0);
  });

  test("says what a client breaks, and how to see it again", async () => {
    const file = join(folder, "report.json");
    const { code, out } = await client(...least, "--report", `json=${file}`, ...sending());
    expect(out).toContain("FAIL VER-001 JSONRPC SendMessage has no A2A-Version, want A2A-Version: 1.0 (§3.6.1)");
    expect(code).toBe(1);
    const report = JSON.parse(readFileSync(file, "utf8"));
    expect(report).toMatchObject({ subject: "client", outcome: "not-conformant", situations: [{ situation: "send" }] });
    const [broken] = report.categories.interop.filter(({ test: id }: { test: string }) => id === "VER-001");
    expect(broken).toMatchObject({
      situation: "send",
      repeat: expect.stringMatching(/^assay client --situation send -- curl/),
    });
  });

  test("lets a failure pass that the baseline lists, and a gate fail a run that has none", async () => {
    const file = join(folder, "baseline.yaml");
    writeFileSync(file, "- { check: VER-001, interface: JSONRPC, reason: next release }\n");
    expect((await client(...least, "--baseline", file, ...sending())).code).toBe(0);
    expect((await client(...least, "--fail-on", "not-examined", ...sending("A2A-Version: 1.0"))).code).toBe(1);
  });

  test("comes to no answer about a command that is no client", async () => {
    const { code, out } = await client(...least, "--", "no-such-program-here");
    expect(out).toContain("the command no-such-program-here could not be started: command not found");
    expect(out).toMatch(/inconclusive: .*exit 2/);
    expect(code).toBe(2);
  });

  test("knows its situations", async () => {
    expect((await client("--list")).out).toMatch(/^odd-events +stream .*\n +JSONRPC-028$/m);
    const { code, err } = await client("--situation", "steam", "--", "true");
    expect([code, err]).toEqual([2, expect.stringMatching(/unknown situation.*stream/)]);
    expect((await client("--only", "LIST-003", "--", "true")).err).toContain('"LIST-003" matches no check');
  });
});
