import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRun } from "../../packages/library/src/runs/read-run.ts";
import { RunFolder } from "../../packages/library/src/runs/run-folder.ts";
import { request } from "../fixtures/sdk-client.fixture.ts";
import { collect } from "../fixtures/testbed.fixture.ts";

const bin = resolve("packages/cli/bin/assay.js");
const [home, place] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-faults-"))];
beforeAll(() => process.chdir(place));
afterAll(() => {
  process.chdir(home);
  rmSync(place, { recursive: true });
});

/** Serves until `use` returns, and returns the log. */
async function serving(flags: readonly string[], use: (url: string) => Promise<void>): Promise<readonly string[]> {
  const args = [bin, "serve", "--port", "0", "--json", "--time-scale", "0.05", "--log", ...flags];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  const logged = createInterface(child.stderr!).on("line", (line) => log.push(line));
  const ended = Promise.all([
    new Promise((done) => child.once("exit", done)),
    new Promise((done) => logged.once("close", done)),
  ]);
  try {
    const line = await new Promise<string>((ready) => child.stdout!.once("data", (data) => ready(String(data))));
    await use((JSON.parse(line) as { url: string }).url);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  return log;
}

test.each(["JSONRPC", "GRPC"] as const)("the SDK's client meets the faults of assay serve over %s", async (binding) => {
  const faults = ["--fault", "cut=1@SendStreamingMessage:1x", "--fault", "status@SendMessage:1x"];
  const log = await serving(faults, async (url) => {
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
      preferredTransports: [binding],
    });
    const client = await new ClientFactory(options).createFromUrl(`${url}/`);
    await expect(collect(client.sendMessageStream(request("streaming hello")))).rejects.toThrow();
    await expect(client.sendMessage(request("message-only hello"))).rejects.toThrow();
    // No faults are left.
    expect((await collect(client.sendMessageStream(request("streaming hello")))).length).toBeGreaterThan(2);
    expect(await client.sendMessage(request("message-only hello"))).toMatchObject({ parts: [{}] });
  });
  expect(log.filter((line) => line.startsWith("fault "))).toEqual([
    "fault cut=1@SendStreamingMessage:1x: SendStreamingMessage",
    "fault status@SendMessage:1x: SendMessage",
  ]);
});

test("a client is not accused of a header that a fault removes, and the recording names the fault", async () => {
  const send = (url: string) =>
    fetch(`${url}/spec`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "SendMessage",
        params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "message-only hi" }] } },
      }),
    });
  const log = await serving(["--fault", "lose-header=A2A-Version@1x", "--record"], async (url) => {
    expect(await (await send(url)).json()).toMatchObject({ error: {} });
    expect(await (await send(url)).json()).toMatchObject({ result: {} });
  });
  expect(log.join("\n")).not.toContain("VER-001");
  const [run] = new RunFolder().list();
  const recorded = readRun(join(".assay/runs", `${run}.ndjson`)).flatMap((event) =>
    event.event === "exchange" ? [event.entry._faults] : [],
  );
  expect(recorded).toEqual([["lose-header=A2A-Version@1x"], undefined]);
});
