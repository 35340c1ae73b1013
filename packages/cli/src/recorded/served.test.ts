import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRecordedAgent, startTestbed } from "@assay/agents";
import { RunFolder, readRun } from "@assay/library/runs";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";
import type { ServeSettings } from "../serving/settings.ts";
import { recordedFrom } from "./recorded-agent.ts";
import { openServedRun } from "./served-run.ts";

const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-served-"))];
const closing: (() => Promise<void>)[] = [];
beforeAll(() => process.chdir(place));
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

async function assay(...args: string[]) {
  const screen = paperScreen({ isTerminal: false });
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** The test bed while what comes to it is recorded; ends with the file of the run. */
async function served(use: (url: string) => Promise<void>): Promise<string> {
  const record = openServedRun(new RunFolder());
  const bed = await startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "t",
    timeScale: 0.05,
    recorder: record.recorder,
  });
  record.begin(bed.url);
  await use(bed.url).finally(() => bed.close(0));
  record.end();
  return record.file;
}

const bindings = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;

test("what clients send is a run that can be listed, told and sent elsewhere; logins are masked", async () => {
  vi.stubEnv("TOKEN", "s3same-open");
  const file = await served(async (url) => {
    for (const binding of bindings)
      await assay("send", `${url}/spec`, "streaming hi", "--stream", "--binding", binding);
    await assay("send", `${url}/echo`, "is it s3same-open?", "--bearer", "env:TOKEN");
  });
  const exchanges = readRun(file).filter((event) => event.event === "exchange");
  expect(exchanges.map(({ operation, interface: on }) => [operation, on?.binding, on?.dialect])).toEqual([
    [undefined, undefined, undefined],
    ["SendStreamingMessage", "JSONRPC", "1.0"],
    [undefined, undefined, undefined],
    ["SendStreamingMessage", "HTTP+JSON", "1.0"],
    [undefined, undefined, undefined],
    ["SendStreamingMessage", "GRPC", "1.0"],
    [undefined, undefined, undefined],
    ["SendMessage", "JSONRPC", "1.0"],
  ]);
  expect(exchanges[3]?.interface?.url).toMatch(/\/spec$/);
  expect(readFileSync(file, "utf8")).not.toContain("s3same-open");
  expect((await assay("runs")).out).toContain("last");
  expect((await assay("report", "last")).out).toContain(
    "Assay recorded the requests of the client and did not judge them",
  );
  const har = JSON.parse((await assay("report", "last", "--report", "har")).out) as { log: { entries: unknown[] } };
  expect(har.log.entries).toHaveLength(exchanges.length);
});

test("nothing that came leaves no run", async () => {
  expect(existsSync(await served(async () => {}))).toBe(false);
});

/** The agent of the last run, served from its recording. */
async function recorded(): Promise<string> {
  const agent = recordedFrom({ recorded: "last" } as ServeSettings, new RunFolder());
  const server = await startRecordedAgent(agent, { host: "127.0.0.1", port: 0, timeScale: 0 });
  closing.push(() => server.close(0));
  return server.url;
}

test("a recorded agent says again what it said, over every binding, streams among it", async () => {
  await served(async (url) => {
    for (const binding of bindings)
      for (const [text, ...more] of [["streaming hi", "--stream"], ["message-only hi"]] as const)
        await assay("send", `${url}/spec`, text, "--binding", binding, ...more);
  });
  const url = await recorded();
  for (const binding of bindings) {
    const flags = ["--binding", binding, "--json"];
    const streamed = await assay("send", `${url}/spec`, "streaming hi", "--stream", ...flags);
    expect(streamed.out.trim().split("\n")).toHaveLength(7);
    expect(streamed.out).toContain("TASK_STATE_COMPLETED");
    expect(await assay("send", `${url}/spec`, "message-only hi", ...flags)).toMatchObject({ code: 0 });
    const other = await assay("send", `${url}/spec`, "something else", ...flags);
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining("UNSUPPORTED_OPERATION") });
    expect(other.out).toContain("This agent is a recording, and it holds no answer to");
    const task = await assay("get", `${url}/spec`, "t-unknown", ...flags);
    expect(task).toMatchObject({ code: 1, out: expect.stringContaining("TASK_NOT_FOUND") });
  }
});

test("the recording of a test answers its replay", async () => {
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "t", timeScale: 0.05 });
  closing.push(() => bed.close(0));
  const rules = provesAll ? ["GET-*", "STREAM-00*", "ERR-0*"] : ["GET-001", "STREAM-003"];
  const only = rules.flatMap((rules) => ["--only", rules]);
  await assay("test", `${bed.url}/spec`, "--no-config", "--dialect", "1.0", "--depth", "quick", ...only);
  const url = await recorded();
  const { out } = await assay("replay", "last", "--no-config", "--url", `${url}/spec`);
  const [, same, different] = /(\d+) the same, (\d+) different/.exec(out)!;
  expect(Number(same)).toBeGreaterThan(provesAll ? 50 : 20);
  // What was asked of tasks that nobody knows is asked of others now.
  expect(Number(different), out).toBeLessThan(Number(same) / 3);
});

test("what goes to the OAuth server is not written down, and what it gave is masked where it is shown", async () => {
  let token = "";
  const file = await served(async (url) => {
    const tokenUrl = `${url}/oidc/token`;
    const headers = { Authorization: `Basic ${Buffer.from("alice:alice-secret").toString("base64")}` };
    const body = new URLSearchParams({ grant_type: "client_credentials" });
    const answer = await (await fetch(tokenUrl, { method: "POST", headers, body })).json();
    token = (answer as { access_token: string }).access_token;
    vi.stubEnv("TOKEN", token);
    expect((await assay("send", `${url}/secure`, "message-only hi", "--bearer", "env:TOKEN")).code).toBe(0);
  });
  const exchanges = readRun(file).filter((event) => event.event === "exchange");
  const asked = exchanges.map(({ entry }) => new URL(entry.request.url).pathname);
  expect([asked.includes("/secure"), asked.filter((path) => path.startsWith("/oidc"))]).toEqual([true, []]);
  expect(readFileSync(file, "utf8")).not.toContain(token);
});
