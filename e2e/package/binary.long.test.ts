import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

// The single-file executable where no Node can be found: alone in a folder, with an empty PATH.

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "assay-binary-"));
const isWindows = process.platform === "win32";
const binary = join(folder, isWindows ? "assay.exe" : "assay");
const env = {
  PATH: "",
  HOME: folder,
  NO_COLOR: "1",
  CI: "1",
  ...(isWindows && { SystemRoot: process.env["SystemRoot"] }),
};

beforeAll(async () => {
  await execute(process.execPath, ["scripts/binary.mjs"]);
  copyFileSync(`dist/assay-${process.platform}-${process.arch}${isWindows ? ".exe" : ""}`, binary);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function assay(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await execute(binary, args, { cwd: folder, env, maxBuffer: 50_000_000 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code: number; stdout?: string; stderr?: string };
    return { code, stdout, stderr };
  }
}

test("no Node can be found from here", async () => {
  await expect(execute("node", ["--version"], { env })).rejects.toMatchObject({ code: "ENOENT" });
});

test("names its version", async () => {
  const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as { version: string };
  expect(await assay("--version")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^${version} \\(rules [\\w.-]+\\)\n$`),
  });
});

test("runs the demo", async () => {
  const { code, stdout } = await assay("demo");
  expect([code, stdout]).toEqual([0, expect.stringContaining("conformant")]);
  // The commands to try next start this file: npx is not there.
  expect(stdout).toContain(`${binary} test http://127.0.0.1:9999`);
  expect(stdout).not.toContain("npx");
});

test("serves agents, tests them in a process of its own, and ends with the signal", async () => {
  const server = spawn(binary, ["serve", "--port", "0", "--json"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  expect(await assay("test", `${url}/echo`)).toMatchObject({ code: 0, stdout: expect.stringContaining("conformant") });
  const broken = await assay("test", `${url}/mutants/STREAM-003.status-first`, "--only", "STREAM-003");
  expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("STREAM-003") });
  server.kill("SIGTERM");
  expect(await ended).toEqual(isWindows ? [null, "SIGTERM"] : [0, null]);
});

test("says which library to install beside it", async () => {
  const { code, stderr } = await assay("serve", "--store", "postgres://127.0.0.1:9/bed");
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("npm install pg") });
});
