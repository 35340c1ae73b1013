import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { startTestbed } from "@assay/agents";
import { expect, onTestFinished, test } from "vitest";

const assay = resolve("packages/cli/bin/command.js");
const execute = promisify(execFile);

test("a killed tester leaves a readable recording that is cut off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-killed-"));
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
  onTestFinished(async () => {
    await bed.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  const agent = `${bed.url}/spec`;
  const history = `sqlite:${join(folder, "shared.db")}`;
  const tester = spawn(process.execPath, [assay, "test", agent, "--no-config", "--history", history], {
    cwd: folder,
    stdio: "ignore",
  });
  const closed = once(tester, "close");
  const finished = (): number => recorded(folder).filter((line) => line.includes('"check-finished"')).length;
  while (finished() < 20 && tester.exitCode === null) await pause(25);
  tester.kill("SIGKILL");
  await closed;
  const had = finished();
  expect(had).toBeGreaterThanOrEqual(20);

  const listed = async (...flags: string[]) =>
    JSON.parse((await execute(process.execPath, [assay, "runs", "--json", ...flags], { cwd: folder })).stdout);
  const [run] = await listed("--history", history);
  expect(run).toMatchObject({ agentUrl: agent, ending: "cut-off", outcome: "inconclusive" });
  expect(run.summary.total).toBe(had);
  expect(await listed()).toEqual([run]);
  expect(await listed("--agent", "http://elsewhere.example")).toEqual([]);
});

/** Returns the complete lines of the recording. The last line may be incomplete. */
function recorded(folder: string): string[] {
  try {
    const runs = join(folder, ".assay/runs");
    const [file] = readdirSync(runs).filter((name) => name.endsWith(".ndjson"));
    return readFileSync(join(runs, file!), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}
