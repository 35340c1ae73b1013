import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { RunFolder } from "../../packages/library/src/runs/run-folder.ts";

/** Tests the command: one server records and stops, and another one replays the recording. */

const bin = resolve("packages/cli/bin/assay.js");
const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-serve-"))];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

/** Serves until `use` returns, and stops then. */
async function serving(flags: readonly string[], use: (url: string) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [bin, "serve", "--port", "0", "--json", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  try {
    const line = await new Promise<string>((ready) =>
      child.stdout!.once("data", (data: Buffer) => ready(String(data))),
    );
    await use((JSON.parse(line) as { url: string }).url);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

async function send(url: string, text: string): Promise<{ code: number; out: string }> {
  const screen = paperScreen({ isTerminal: false });
  return { code: await run(["send", `${url}/echo`, text, "--json"], screen), out: screen.out() };
}

test("a server replays the recording of another one", async () => {
  let said = "";
  await serving(["--record"], async (url) => {
    said = (await send(url, "hello")).out;
  });
  expect(new RunFolder().list()).toHaveLength(1);
  await serving(["--recorded", "last"], async (url) => {
    expect(await send(url, "hello")).toEqual({ code: 0, out: said });
    expect(await send(url, "good bye")).toMatchObject({
      code: 1,
      out: expect.stringContaining("UNSUPPORTED_OPERATION"),
    });
  });
});
