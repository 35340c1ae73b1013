import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
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

  test("writes no credential of the command line or the environment into a report", async () => {
    vi.stubEnv("CLIENT_TEST_TOKEN", "from-the-environment-4f1d");
    const formats = ["json", "junit", "html", "markdown", "sarif"];
    const files = formats.map((format) => join(folder, `masked.${format}`));
    const reports = formats.flatMap((format, index) => ["--report", `${format}=${files[index]}`]);
    const says = "console.log(process.argv[2], process.env.CLIENT_TEST_TOKEN)";
    const { out, err } = await client(
      ...least,
      ...reports,
      "--",
      process.execPath,
      "-e",
      says,
      "--",
      "--token",
      "s3cret-4711",
    );
    vi.unstubAllEnvs();
    const shown = [out, err, ...files.map((file) => readFileSync(file, "utf8"))];
    for (const text of shown) expect(text).not.toMatch(/s3cret-4711|from-the-environment-4f1d/);
    const report = JSON.parse(shown[2]!);
    expect(report.agentUrl).toMatch(/--token «secret:token»$/);
    expect(report.situations[0].runs[0].output).toBe("«secret:token» «secret:client_test_token»\n");
  });

  test("lets a failure pass that the baseline lists, and a gate fail a run that has none", async () => {
    const file = join(folder, "baseline.yaml");
    writeFileSync(file, "- { check: VER-001, interface: JSONRPC, reason: next release }\n");
    expect((await client(...least, "--baseline", file, ...sending())).code).toBe(0);
    expect((await client(...least, "--fail-on", "not-examined", ...sending("A2A-Version: 1.0"))).code).toBe(1);
  });

  test("comes to no answer about a command that is no client", async () => {
    const { code, out } = await client(...least, "--", "no-such-program-here");
    expect(out.match(/^why: .*/gm)).toEqual([
      "why: the command no-such-program-here could not be started: command not found",
    ]);
    expect(out).toMatch(/inconclusive: .*exit 2/);
    expect(code).toBe(2);
  });

  test("skips the situations with an action that the client does not support", async () => {
    const only = ["--dialect", "1.0", "--binding", "JSONRPC", "--situation", "stream", "--json"];
    const { out } = await client(...only, "--can", "get", ...sending("A2A-Version: 1.0"));
    const { situations } = JSON.parse(out);
    expect(
      situations.map(({ situation, ended, runs }: { situation: string; ended: string; runs: unknown[] }) => [
        situation,
        ended,
        runs.length,
      ]),
    ).toEqual([
      ["send", "done", 1],
      ["stream", "declined", 0],
    ]);
    expect((await client("--can", "sing", "--", "true")).err).toContain("--can sing: unknown action");
  });

  test.each([
    ["--can needs the command of the client", ["--can", "get"]],
    ["--situation needs the command of the client", ["--situation", "send"]],
    ["--faults needs the command of the client", ["--faults"]],
    ["--dialect needs the command of the client", ["--dialect", "1.0"]],
    ["--write-profile needs the command of the client", ["--write-profile", "a.json"]],
    ["--listen cannot be combined with --report", ["--listen", "--report", "json=a.json"]],
    ["--listen cannot be combined with --fail-on", ["--listen", "--fail-on", "should"]],
    ["--listen cannot be combined with --situation", ["--listen", "--situation", "send"]],
    ["--port cannot be combined with a command", ["--port", "4050", "--", "true"]],
  ])("ignores no option: %s", async (message, args) => {
    const { code, err } = await client(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("writes a profile under the name of --as, or of the program without its arguments", async () => {
    const file = join(folder, "profile.json");
    const profile = ["--write-profile", file];
    const command = sending("A2A-Version: 1.0", "X-Key: tok-4711");
    expect((await client(...least, ...profile, "--as", "@me/mine@1.2.0", ...command)).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      profile: 1,
      client: { name: "@me/mine", version: "1.2.0" },
      speaks: ["1.0 JSONRPC"],
      notSpoken: [],
      abilities: { message: [{ is: "yes", on: ["1.0 JSONRPC"] }] },
    });
    await client(...least, ...profile, ...command);
    expect(readFileSync(file, "utf8")).not.toContain("tok-4711");
    expect(JSON.parse(readFileSync(file, "utf8")).client).toEqual({ name: "curl", version: "" });
  });

  test.each([
    ["does not start", "no-such-program-here", "the command could not be started"],
    ["sends nothing", "true", "the client sent no request"],
  ])("writes no profile of a command that %s", async (_what, command, because) => {
    const file = join(folder, "kept.json");
    writeFileSync(file, "an earlier profile");
    const { code, err } = await client(...least, "--write-profile", file, "--", command);
    expect([code, err]).toEqual([2, expect.stringContaining(`Assay did not write the profile ${file}: ${because}.`)]);
    expect(readFileSync(file, "utf8")).toBe("an earlier profile");
  });

  test("knows its situations", async () => {
    expect((await client("--list")).out).toMatch(/^odd-events +stream .*\n +JSONRPC-028$/m);
    const { code, err } = await client("--situation", "steam", "--", "true");
    expect([code, err]).toEqual([2, expect.stringMatching(/unknown situation.*stream/)]);
    expect((await client("--only", "LIST-003", "--", "true")).err).toContain('"LIST-003" matches no check');
  });
});
