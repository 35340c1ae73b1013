import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoggedRequest, startTestbed, type Testbed } from "@assay/agents";
import { RunFolder } from "@assay/library/runs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

let bed: Testbed;
const served: LoggedRequest[] = [];
const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-replay-"))];
beforeAll(async () => {
  process.chdir(place);
  const onServed = (request: LoggedRequest) => void served.push(request);
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0, onServed });
});
afterAll(async () => {
  process.chdir(home);
  rmSync(place, { recursive: true });
  await bed.close(0);
});

async function assay(...args: string[]) {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** Rules whose requests do not depend on a race between the agent and Assay. */
const some = (provesAll ? ["GET-*", "STREAM-00*"] : ["GET-001", "STREAM-003"]).flatMap((rule) => ["--only", rule]);
const testOf = (path: string, ...more: string[]) =>
  assay("test", `${bed.url}/${path}`, "--no-config", ...some, ...more);

// Tests of one group replay the same run.
describe("a replay on the same agent", { shuffle: false }, () => {
  test("is the same over every binding, streams among it, and says what it costs", async () => {
    await testOf("spec", "--depth", "quick", "--dialect", "1.0");
    served.splice(0);
    const { code, out } = await assay("replay", "last", "--no-config");
    expect(out).toMatch(/^\d+ requests to http:\S+\/spec again: up to \d+ messages \(each may be a model call/);
    expect(out).not.toMatch(/^different/m);
    for (const binding of ["JSON-RPC", "HTTP+JSON", "gRPC"])
      expect(out).toMatch(new RegExp(`^same +x\\d+ +SendStreamingMessage +${binding.replace("+", "\\+")} 1\\.0`, "m"));
    expect(code).toBe(0);
    const [, announced] = /up to (\d+) messages/.exec(out)!;
    expect(out).toMatch(new RegExp(`\\d+ the same, 0 different(, \\d+ not sent)?; ${announced} messages\\.\n$`));
    expect(served.length).toBeGreaterThan(provesAll ? 30 : 20);
  });

  test("is the same in older versions too", async () => {
    await testOf("spec02", "--depth", "quick");
    expect(await assay("replay", "last", "--no-config")).toMatchObject({ code: 0 });
  });

  test("is the same when it has moved: it is asked where it is now, and none beside it", async () => {
    const { code, out } = await assay("replay", "last", "--no-config", "--url", `${bed.url}/spec02/`);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringMatching(/^different/m) });
  });
});

describe("a replay of what proves a failure", { shuffle: false }, () => {
  test("brings along what it rests on, and shows the same failure again", async () => {
    await testOf("mutants/CANCEL-002.ended-too", "--depth", "quick", "--dialect", "1.0", "--only", "CANCEL-002");
    const { code, out } = await assay("replay", "last", "cancel-002", "--no-config");
    expect(out).toMatch(/^same +x\d+ +SendMessage/m);
    expect(out).toMatch(/^same +x\d+ +CancelTask/m);
    expect(out).toMatch(/^\d the same|^1\d the same/m);
    expect(code).toBe(0);
  });

  test("shows then and now side by side where the agent was repaired", async () => {
    const { code, out } = await assay("replay", "last", "CANCEL-002", "--no-config", "--url", `${bed.url}/spec`);
    expect(code).toBe(1);
    expect(out).toMatch(/^different +x\d+ +CancelTask +JSON-RPC 1\.0.*\n +then +now\n/m);
    expect(out).toMatch(/^ +error\.code +absent +-32002$/m);
    const json = await assay("replay", "last", "CANCEL-002", "--no-config", "--json", "--url", `${bed.url}/spec`);
    const told = JSON.parse(json.out) as { different: number; exchanges: { outcome: string; differences?: unknown }[] };
    expect(told.exchanges.filter(({ outcome }) => outcome === "different")).toHaveLength(told.different);
    expect(JSON.stringify(told.exchanges)).toContain('{"at":"error.code","now":"-32002"}');
  });
});

describe("credentials", { shuffle: false }, () => {
  test("are given again, and shown nowhere", async () => {
    const token = "alice-token";
    vi.stubEnv("TOKEN", token);
    await testOf("secure", "--depth", "free", "--dialect", "1.0", "--bearer", "env:TOKEN");
    served.splice(0);
    const without = await assay("replay", "last", "--no-config");
    expect(without).toMatchObject({
      code: 2,
      err: expect.stringContaining("which a recording does not contain: bearer"),
    });
    expect(served).toEqual([]);
    const again = await assay("replay", "last", "--no-config", "--bearer", "env:TOKEN");
    expect(again.out).not.toMatch(/^different/m);
    expect(again.code).toBe(0);
    expect(again.out + again.err).not.toContain(token);
    vi.unstubAllEnvs();
  });

  test("go nowhere on the word of a file that is no run of ours", async () => {
    vi.stubEnv("TOKEN", "sesame-open");
    copyFileSync(new RunFolder().eventsOf(new RunFolder().list().at(-1)!), "foreign.ndjson");
    served.splice(0);
    const { code, err } = await assay("replay", "foreign.ndjson", "--no-config", "--bearer", "env:TOKEN");
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining("Name the agent that may receive them"),
    });
    expect(served).toEqual([]);
    vi.unstubAllEnvs();
  });
});

test("what is not there is wrong usage, and an agent that is gone is nothing to compare", async () => {
  await testOf("echo", "--depth", "free", "--dialect", "1.0", "--binding", "JSONRPC");
  expect(await assay("replay", "last", "GETT-001", "--no-config")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Did you mean GET-001?"),
  });
  expect(await assay("replay", "last", "GET-001", "--no-config")).toMatchObject({ code: 2 });
  const gone = await assay("replay", "last", "--no-config", "--url", "http://127.0.0.1:1/echo");
  expect(gone).toMatchObject({ code: 2, out: expect.stringContaining("No response arrived") });
});
