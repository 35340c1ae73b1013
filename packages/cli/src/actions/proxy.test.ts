import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { faultNames } from "@assay/proxy";
import type { ConformanceReport } from "@assay/suite/report";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProxyFlags } from "../commands/proxy.ts";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";
import { proxy } from "./proxy.ts";

const home = process.cwd();
let bed: Testbed;
beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-proxy-")));
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0.05 });
});
afterAll(async () => {
  process.chdir(home);
  await bed.close(0);
});

/** Runs the command, lets something happen, and stops it. */
async function proxied(url: string, more: Partial<ProxyFlags>, act: (address: string) => Promise<unknown>) {
  const screen = paperScreen();
  const stop = new AbortController();
  const ended = proxy(url, { port: 0, host: "127.0.0.1", seed: 1, ...more }, screen, stop.signal);
  const told = (): string => screen.out() + screen.err();
  const address = await new Promise<string>((resolve) => {
    const look = (): void => {
      const found = /Proxy on (\S+)|"url":"([^"]+)"/.exec(told());
      if (found) resolve((found[1] ?? found[2])!);
      else setImmediate(look);
    };
    look();
  });
  await act(address);
  stop.abort();
  return { code: await ended, out: screen.out(), err: screen.err() };
}

const send = (address: string, message: object) =>
  fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "message-only hi" }], ...message } },
    }),
  }).then((response) => response.text());

describe("assay proxy", () => {
  test("shows every call, whose breach it is, and what each side comes to", async () => {
    const { code, out } = await proxied(`${bed.url}/spec`, {}, async (address) => {
      await send(address, {});
      await send(address, { messageId: undefined });
    });
    expect(code).toBe(1);
    expect(out).toMatch(/SendMessage {13} JSON-RPC 1\.0 {4}message .*✓\n/);
    expect(out).toMatch(/SendMessage .* error -32602 .*✗ client: a message has no messageId \(SEND-021\)\n/);
    expect(out).toContain("2 calls, 1 violation (1 client, 0 agent)");
    expect(out).toMatch(/^agent {3}no rule broken: 0 failed/m);
    expect(out).toMatch(/^client {2}rules broken: 1 failed/m);
  });

  test("leaves reports and a record, and is green where no rule is broken", async () => {
    const flags = { report: ["json=out.json", "har=out.har"], record: true };
    const { code } = await proxied(`${bed.url}/spec`, flags, (address) => send(address, {}));
    const report = JSON.parse(readFileSync("out.json", "utf8")) as ConformanceReport;
    const { log } = JSON.parse(readFileSync("out.har", "utf8")) as { log: { entries: unknown[] } };
    expect([code, report.subject, report.outcome, report.parties?.client.outcome, log.entries.length]).toEqual([
      0,
      "pair",
      "conformant",
      "conformant",
      1,
    ]);
    expect(readdirSync(".assay/runs").some((file) => file.endsWith(".ndjson"))).toBe(true);
    const screen = paperScreen();
    expect([await run(["report", "last", "--report", "markdown"], screen), screen.out()]).toEqual([
      0,
      expect.stringContaining("conformant (recorded traffic only)"),
    ]);
  });

  test("names the fault that hit a call, judges only the others, and lists the faults in the report", async () => {
    const flags = { fault: ["status=503@SendMessage:1x", "cut"], report: ["json=faults.json"] };
    const { code, out } = await proxied(`${bed.url}/spec`, flags, async (address) => {
      await send(address, { messageId: undefined });
      await send(address, {});
    });
    expect(code).toBe(0);
    expect(out).toMatch(/SendMessage .* 503 .*– fault: status=503@SendMessage:1x\n/);
    expect(out).toContain("2 calls, no violations, 1 with faults");
    const { notes } = JSON.parse(readFileSync("faults.json", "utf8")) as ConformanceReport;
    expect(notes).toContain("fault status=503@SendMessage:1x: hit 1 call (x1), which Assay did not judge");
    expect(notes).toContain("fault cut: hit no call");
  });

  test("--fault list explains every fault without an agent", async () => {
    const screen = paperScreen();
    expect(await run(["proxy", "--fault", "list"], screen)).toBe(0);
    for (const name of faultNames) expect(screen.out()).toMatch(new RegExp(`^  ${name}(=\\S+)? +[a-z]`, "m"));
  });

  test.each([
    [["proxy", "http://127.0.0.1:1", "--fault", "latancy"], "Did you mean latency?"],
    [["proxy"], "assay proxy needs the address of an agent"],
    [["serve", "--fault", "status=200"], "Write for example --fault status=503."],
    [["serve", "--fault", "cut", "--grpc-port", "0"], "--fault and --grpc-port cannot be used together"],
  ])("%j is wrong usage", async (args, advice) => {
    const screen = paperScreen();
    expect([await run(args, screen), screen.err()]).toEqual([2, expect.stringContaining(advice)]);
  });

  test("nothing that crossed is no success", async () => {
    const { code } = await proxied(`${bed.url}/spec`, {}, async () => {});
    expect(code).toBe(2);
  });

  test("--json prints a line for each thing that is seen, the first says where to connect", async () => {
    const { out } = await proxied(`${bed.url}/spec`, { json: true }, (address) => send(address, {}));
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { ready?: true; is?: string });
    expect(lines.map(({ ready, is }) => is ?? ready)).toEqual([true, "card", "call"]);
  });

  test("an agent that is not there is said, and the proxy goes on", async () => {
    const { out, code } = await proxied("http://127.0.0.1:1", {}, async (address) => {
      expect((await fetch(address)).status).toBe(502);
      expect((await fetch(address)).status).toBe(502);
    });
    expect([code, out.match(/^ {2}\+.*agent: 127\.0\.0\.1:1: connection refused/gm)?.length]).toEqual([2, 2]);
    expect(out).toContain("agent: Cannot reach http://127.0.0.1:1");
  });

  test("a port that is taken is said, with what to do", async () => {
    const { port } = new URL(bed.url);
    const screen = paperScreen();
    expect(await run(["proxy", `${bed.url}/spec`, "--port", port], screen)).toBe(2);
    expect(screen.err()).toContain(`cannot listen on 127.0.0.1 port ${port}`);
    expect(screen.err()).toContain("--port 0 picks a free one");
  });

  test("what an agent calls itself is shown, not obeyed", async () => {
    const server = createServer((_request, response) => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ name: "\u001b[2Jevil\n::error::x", url: "http://127.0.0.1:1/", skills: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { out } = await proxied(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {}, async () => {});
    server.close().closeAllConnections();
    expect(out).not.toContain("\u001b[2J");
    expect(out).not.toMatch(/^::error/m);
  });
});
