import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { profiles } from "@assay/suite/forecast";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "assay-forecast-"));
let bed: Testbed;
beforeAll(async () => {
  process.chdir(folder);
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.01 });
});
afterAll(async () => {
  process.chdir(home);
  await bed.close(0);
});

/** A client that speaks JSON-RPC of 1.0 only, and reads everything that the test bed says. */
const able = {
  profile: 1,
  client: { name: "mine", version: "1.2.0" },
  measured: "2026-11-18",
  tool: { name: "assay", version: "0.0.0" },
  speaks: ["1.0 JSONRPC"],
  notSpoken: ["1.0 HTTP+JSON", "1.0 GRPC", "0.3 JSONRPC", "0.3 HTTP+JSON", "0.3 GRPC", "0.2 JSONRPC", "0.1 JSONRPC"],
  sends: { "1.0 JSONRPC": ["SendMessage"] },
  abilities: Object.fromEntries(
    ["message", "task", "status-text", "below-path", "listed-older", "with-other-http", "with-grpc"].map((id) => [
      id,
      [{ is: "yes", on: ["1.0 JSONRPC"] }],
    ]),
  ),
};

test("an agent is tested and matched with every profile, also with one of your own", async () => {
  writeFileSync("mine.json", JSON.stringify(able));
  const screen = paperScreen();
  expect(await run(["forecast", `${bed.url}/spec`, "--profile", "mine.json"], screen)).toBe(0);
  expect(screen.out()).toMatch(/^Spec Agent: forecast for \d+ clients$/m);
  expect(screen.out()).toMatch(/✓ works +mine 1\.2\.0, measured 2026-11-18$/m);
  expect(screen.out()).toMatch(
    /✗ fails +JavaScript SDK 0\.2\.5, measured [\d-]+\n +your agent offers 1\.0 over JSON-RPC/,
  );
  expect(screen.out().match(/^[✓~✗?] /gm)).toHaveLength(profiles.length + 1);
});

test("the card alone shows who fails, and no one works by it", async () => {
  const screen = paperScreen();
  expect(await run(["forecast", `${bed.url}/spec`, "--card-only", "--json"], screen)).toBe(0);
  const { clients } = JSON.parse(screen.out()) as { clients: { verdict: string }[] };
  expect(new Set(clients.map(({ verdict }) => verdict))).toEqual(new Set(["fails", "unknown"]));
});

test.each([
  [["forecast", "last"], /run/],
  [["forecast", "last", "--card-only"], /--card-only needs the address of an agent/],
  [["forecast", "http://127.0.0.1:1", "--profile", "none.json"], /Cannot read the profile none\.json/],
  [["forecast", "http://127.0.0.1:1", "--profile", "other.json"], /other\.json is not a profile of a client/],
  [["forecast", "http://127.0.0.1:1", "--profile", "partial.json"], /partial\.json is not a profile of a client/],
])("%j is wrong usage, with a reason", async (words, reason) => {
  writeFileSync("other.json", "{}");
  writeFileSync("partial.json", JSON.stringify({ ...able, sends: undefined, abilities: undefined }));
  const screen = paperScreen();
  expect(await run(words, screen)).toBe(2);
  expect(screen.err()).toMatch(reason);
});
