import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MatrixDocument } from "@assay/matrix";
import { describe, expect, onTestFinished, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";

const root = join(import.meta.dirname, "../..");

/** A folder with Assay's driver and others, with their known failures; the command runs in it. */
function matrixOf(known: Readonly<Record<string, string | undefined>>) {
  const home = mkdtempSync(join(tmpdir(), "assay-matrix-command-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const sdks = join(home, "sdks");
  mkdirSync(sdks);
  cpSync(join(root, "sdks/skills.json"), join(sdks, "skills.json"));
  symlinkSync(join(root, "sdks/assay"), join(sdks, "assay"), "junction");
  for (const [name, rows] of Object.entries(known)) {
    cpSync(join(import.meta.dirname, "drivers", name), join(sdks, name), { recursive: true });
    if (rows === undefined) continue;
    const file = join(sdks, name, "driver.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}known: known-failures.yaml\n`);
    writeFileSync(join(sdks, name, "known-failures.yaml"), rows);
  }
  const report = join(home, "matrix.json");
  return {
    home,
    run: (...args: readonly string[]): Promise<{ code: number; out: string; err: string; cells: readonly string[] }> =>
      new Promise((resolve) => {
        rmSync(report, { force: true });
        const command = [join(root, "packages/cli/bin/assay.js"), "matrix", "--no-chain", "--report", `json=${report}`];
        const scenarios = args.includes("--resume") ? [] : ["--scenarios", join(root, "acceptance.yaml")];
        execFile(process.execPath, [...command, ...scenarios, ...args], { cwd: home }, (error, out, err) => {
          const { cells } =
            error?.code === 2 ? { cells: [] } : (JSON.parse(readFileSync(report, "utf8")) as MatrixDocument);
          const told = cells.map(({ id, outcome, known: row }) => `${outcome} ${id}${row ? `: ${row.why}` : ""}`);
          resolve({ code: Number(error?.code ?? 0), out, err, cells: told });
        });
      }),
  };
}

const row = (scenario: string, cause: string): string =>
  `- { role: client, scenarios: [${scenario}], causes: [${cause}], why: It is broken. }\n`;

const dying = ["--client", "dying", "--server", "assay"];

describe("the exit code of assay matrix", () => {
  const cases = [
    ["a known failure", "stream-message-only", row("stream-*", "client-ended"), 0, "failed"],
    [
      "a failure with another cause than the known one",
      "stream-message-only",
      row("stream-*", "not-sent"),
      1,
      "failed",
    ],
    ["a known failure that is fixed", "agent-card-echo", row("agent-card-echo", "not-sent"), 1, "passed"],
    ["a red cell that is not known", "stream-message-only", "", 1, "failed"],
    ["a known failure of which only a part ran", "agent-card-echo", row("agent-card-*", "not-sent"), 0, "passed"],
  ] as const;
  test.each(cases.slice(0, provesAll ? cases.length : 3))("%s", async (_, scenario, rows, code, outcome) => {
    const ran = await matrixOf({ dying: rows }).run(...dying, "--scenario", scenario);
    const why = code === 0 && outcome === "failed" ? ": It is broken." : "";
    expect([ran.code, ran.cells]).toEqual([code, [`${outcome} dying/assay/jsonrpc/1.0/${scenario}${why}`]]);
    expect(ran.out.includes("stale")).toBe(code === 1 && outcome === "passed");
  });

  testIf(provesAll)("a program that does not start is not known, however wide the known failures are", async () => {
    const { run } = matrixOf({ silent: row('"*"', '"client/*", VER-001, answer-differs') });
    const ran = await run(
      "--client",
      "silent,assay",
      "--server",
      "assay",
      "--scenario",
      "agent-card-echo",
      "--binding",
      "JSONRPC",
      "--dialect",
      "1.0",
    );
    expect([ran.code, ran.cells.toSorted()]).toEqual([
      1,
      ["blocked silent/assay/jsonrpc/1.0/agent-card-echo", "passed assay/assay/jsonrpc/1.0/agent-card-echo"],
    ]);
  });
});

test("drivers that are not set up are one hint, and none of their cells fails", async () => {
  const { run } = matrixOf({ absent: undefined, dying: undefined });
  const card = ["--scenario", "agent-card-echo", "--binding", "JSONRPC", "--dialect", "1.0"];
  const all = await run("--server", "assay", ...card);
  expect([all.code, all.cells.toSorted()]).toEqual([
    0,
    ["passed assay/assay/jsonrpc/1.0/agent-card-echo", "passed dying/assay/jsonrpc/1.0/agent-card-echo"],
  ]);
  expect(all.out.match(/not set up: absent\..*assay matrix --setup/g)).toHaveLength(1);
  const named = await run("--client", "absent", "--server", "assay", ...card);
  expect([named.code, named.err]).toEqual([2, expect.stringContaining("Set up the drivers: assay matrix --setup")]);
});

describe("--resume", () => {
  const cards = ["agent-card-echo", "agent-card-spec"].map((scenario) => `passed dying/assay/jsonrpc/1.0/${scenario}`);

  test("continues with the options of the first session, and runs nothing twice", async () => {
    const { run } = matrixOf({ dying: undefined });
    const first = await run(...dying, "--scenario", "agent-card-*", "--time-scale", "0.05");
    expect([first.code, first.cells]).toEqual([0, cards]);
    const again = await run("--resume");
    expect([again.code, again.cells, again.out.includes("1/1")]).toEqual([0, cards, false]);
    expect(again.out).toContain("1 record of pairs and relays already done");
    const other = await run("--resume", "--time-scale", "0.1");
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("--time-scale differs")]);
  });

  testIf(provesAll)("with other filters has the cells of these filters, and runs those that are missing", async () => {
    const { run } = matrixOf({ dying: undefined });
    await run(...dying, "--scenario", "agent-card-*");
    const fewer = await run("--resume", ...dying, "--scenario", "agent-card-echo");
    expect([fewer.cells, fewer.out.includes("1/1")]).toEqual([cards.slice(0, 1), false]);
    const more = await run("--resume", ...dying, "--scenario", "agent-card-*,stream-message-only");
    expect([more.cells, more.out.includes("1/1")]).toEqual([
      [...cards, "failed dying/assay/jsonrpc/1.0/stream-message-only"],
      true,
    ]);
    expect(more.out).toContain("1 record not used");
  });

  testIf(provesAll)("runs the pairs of another version of an SDK again", async () => {
    const { run, home } = matrixOf({ dying: undefined });
    await run(...dying, "--scenario", "agent-card-*");
    const driver = join(home, "sdks/dying");
    for (const file of ["driver.yaml", "client.mjs"])
      writeFileSync(join(driver, file), readFileSync(join(driver, file), "utf8").replace("1.0.0", "1.0.1"));
    const ran = await run("--resume");
    expect([ran.code, ran.cells, ran.out.includes("1/1")]).toEqual([0, cards, true]);
  });
});
