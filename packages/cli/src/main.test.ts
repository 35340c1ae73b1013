import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { run } from "./main.ts";
import { paperScreen } from "./screen.case.ts";
import { version } from "./version.ts";

let testbed: Testbed;
const servers: Server[] = [];
beforeAll(async () => {
  testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "9.9.9", timeScale: 0 });
});
afterAll(() => testbed.close(0));
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function assay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const screen = paperScreen();
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

/** What changes from run to run, taken out. */
const timeless = (text: string): string =>
  text
    .replaceAll(testbed.url, "http://HERE")
    .replaceAll(new URL(testbed.url).host, "HERE")
    .replaceAll(/^ *\d+ ms/gm, "    ? ms")
    .replaceAll(/after \d+ ms/g, "after ? ms")
    .replaceAll(/[\d.]+ kB/g, "? kB")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "«id»");

/** An agent of ours that answers whatever it is told to. */
async function stubAgent(answer: (url: string) => { type?: string; status?: number; body: string }): Promise<string> {
  const server = createServer((request, response) => {
    const { type = "application/json", status = 200, body } = answer(request.url ?? "");
    response.writeHead(status, { "Content-Type": type }).end(body.replaceAll("{host}", request.headers.host ?? ""));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const card = (more: object = {}): string =>
  JSON.stringify({
    name: "Stub",
    description: "d",
    version: "1",
    supportedInterfaces: [{ url: "http://{host}/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
    ...more,
  });

describe("assay", () => {
  test("says its version", async () => {
    expect(await assay("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test.each([[["--help"]], [["serve", "--help"]], [["send", "--help"]], [["card", "--help"]], [["demo", "--help"]]])(
    "%j shows an example",
    async (args) => {
      const { code, out } = await assay(...args);
      expect(code).toBe(0);
      expect(out).toMatch(/Examples?:\n {2}\$ assay /);
    },
  );

  test.each([
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["send", "http://127.0.0.1:1"], "missing required argument 'text'"],
    [["send", "http://127.0.0.1:1", "x", "--binding", "SOAP"], "Allowed choices are JSONRPC, HTTP+JSON"],
    [["send", "not a url", "x"], '"not a url" is no URL'],
    [["card", "ftp://127.0.0.1"], "is neither http nor https"],
    [["serve", "--port", "99999"], "Give a port from 0 to 65535"],
    [["serve", "--cert", "x.pem"], "--cert and --key go together"],
    [["card", "http://127.0.0.1:1", "--bearer", "env:NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE is not set"],
  ])("%j is wrong usage: exit 2 and a reason", async (args, reason) => {
    const { code, err } = await assay(...args);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });
});

describe("assay send", () => {
  test("shows a message", async () => {
    const { code, out } = await assay("send", `${testbed.url}/echo`, "hello");
    expect(code).toBe(0);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "→ SendMessage  JSON-RPC  HERE/echo   "hello"
          ? ms  message   "Echo: hello"
      "
    `);
  });

  test("shows a stream as it comes", async () => {
    const { code, out } = await assay(
      "send",
      `${testbed.url}/spec`,
      "streaming hi",
      "--stream",
      "--binding",
      "HTTP+JSON",
    );
    expect(code).toBe(0);
    expect(timeless(out)).toMatchInlineSnapshot(`
      "→ SendStreamingMessage  HTTP+JSON  HERE/spec   "streaming hi"
          ? ms  task      submitted      «id»
          ? ms  status    working        "[streaming] Starting streamed response..."
          ? ms  artifact  stream-result  chunk 1       "[streaming] Chunk 1: streaming hi\\n"
          ? ms  artifact  stream-result  +chunk 2      "[streaming] Chunk 2: streaming hi\\n"
          ? ms  artifact  stream-result  +chunk 3      "[streaming] Chunk 3: streaming hi\\n"
          ? ms  artifact  stream-result  +chunk 4 last "[streaming] Chunk 4: streaming hi\\n"
          ? ms  status    completed
      stream closed by the server after ? ms, 7 events, ? kB
      "
    `);
  });

  test("says where the card was when it was not where it was looked for first", async () => {
    const { out } = await assay("send", `${testbed.url}/nowhere`, "message-only hi");
    expect(timeless(out).split("\n")[0]).toBe(
      "card found at http://HERE/.well-known/agent-card.json (nothing below /nowhere)",
    );
  });

  test("continues a task", async () => {
    const first = JSON.parse((await assay("send", `${testbed.url}/spec`, "multi-turn go", "--json")).out);
    const { out } = await assay("send", `${testbed.url}/spec`, "done", "--task", first.task.id);
    expect(out).toContain("completed");
    expect(out).toContain('"[multi-turn] Finished after 2 messages."');
  });

  test("reaches a tenant and declares extensions", async () => {
    const uri = "urn:assay:extension:acknowledgement:v1";
    const refused = await assay("send", `${testbed.url}/strict`, "message-only hi");
    expect(refused.code).toBe(1);
    expect(refused.out).toContain("-32008 EXTENSION_SUPPORT_REQUIRED");
    const served = await assay(
      "send",
      `${testbed.url}/strict`,
      "message-only hi",
      "--extension",
      uri,
      "--tenant",
      "north",
    );
    expect(served.code).toBe(0);
    expect(served.out).toContain("JSON-RPC (tenant north)");
  });

  test.each([[[]], [["--stream"]]])("an error of the agent is exit 1 (%j)", async (flags) => {
    const { code, out } = await assay("send", `${testbed.url}/spec`, "hi", "--task", "nope", ...flags);
    expect(code).toBe(1);
    expect(out).toContain('-32001 TASK_NOT_FOUND: There is no task "nope" here');
  });

  test("nobody there is exit 2, and says what to do", async () => {
    const { code, err } = await assay("send", "http://127.0.0.1:1/", "hi");
    expect(code).toBe(2);
    expect(err).toContain("Nobody answers at http://127.0.0.1:1/");
  });

  test("an agent that asks for a login is exit 2, and names the flags", async () => {
    const url = await stubAgent(() => ({ status: 401, body: "{}" }));
    const { code, err } = await assay("send", url, "hi");
    expect(code).toBe(2);
    expect(err).toContain("asks for a login");
    expect(err).toContain("--bearer env:TOKEN");
  });

  test("no card is exit 2, and lists where it was looked for", async () => {
    const url = await stubAgent(() => ({ status: 404, body: "{}" }));
    const { code, err } = await assay("send", `${url}/agent`, "hi");
    expect(code).toBe(2);
    expect(err.match(/HTTP 404/g)).toHaveLength(5);
  });

  test("an answer that is no A2A is exit 1", async () => {
    const url = await stubAgent((path) => ({ body: path === "/rpc" ? "<html>" : card() }));
    const { code, out } = await assay("send", url, "hi");
    expect(code).toBe(1);
    expect(out).toContain("no A2A: HTTP 200 with a body that is no JSON");
  });

  test("an answer that breaks the schema is exit 1, and says where", async () => {
    const answer = { jsonrpc: "2.0", id: 1, result: { task: { id: "t", status: { state: "done" } } } };
    const url = await stubAgent((path) => ({ body: path === "/rpc" ? JSON.stringify(answer) : card() }));
    const { code, out } = await assay("send", url, "hi");
    expect(code).toBe(1);
    expect(out).toContain("the answer breaks the 1.0 schema: $.task.status.state expected one of");
  });

  test("a hostile agent cannot drive the terminal", async () => {
    const text = "\u001b]0;owned\u0007\u001b[2J\u202egnp.exe";
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text }] };
    const answer = { jsonrpc: "2.0", id: 1, result: { message } };
    const url = await stubAgent((path) => ({ body: path === "/rpc" ? JSON.stringify(answer) : card({ name: text }) }));
    const { out } = await assay("send", url, "hi");
    expect(out).toContain('"\\u001b]0;owned\\u0007\\u001b[2J\\u202egnp.exe"');
    const shown = await assay("card", url);
    expect(out + shown.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("an agent whose card points elsewhere gets no credentials there, and an internal address no request", async () => {
    vi.stubEnv("TOKEN", "s3cret-t0ken");
    const interfaces = [{ url: "http://10.1.2.3/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    const url = await stubAgent(() => ({ body: card({ supportedInterfaces: interfaces }) }));
    const { code, out } = await assay("send", url, "hi", "--bearer", "env:TOKEN");
    expect(code).toBe(2);
    expect(out).toContain("--allow-host");
  });

  test("saves what was said, for the owner alone, without the secrets", async () => {
    vi.stubEnv("TOKEN", "s3cret-t0ken");
    const file = join(mkdtempSync(join(tmpdir(), "assay-cli-")), "talk.har");
    await assay("send", `${testbed.url}/echo`, "I say s3cret-t0ken", "--bearer", "env:TOKEN", "--save", file);
    const har = readFileSync(file, "utf8");
    expect(JSON.parse(har).log.entries).toHaveLength(2);
    expect(har).toContain("«secret:bearer»");
    expect(har).not.toContain("s3cret-t0ken");
    expect(har).not.toContain(Buffer.from("s3cret-t0ken").toString("base64"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("a secret on the command line is taken with a warning", async () => {
    const { code, err } = await assay("send", `${testbed.url}/echo`, "hi", "--bearer", "literal");
    expect(code).toBe(0);
    expect(err).toContain("env:NAME or @file keep it out");
  });
});

describe("assay card", () => {
  test("finds nothing wrong with the test bed's cards", async () => {
    for (const { path } of testbed.agents) {
      const { code, out } = await assay("card", `${testbed.url}/${path}`);
      expect({ path, code }).toEqual({ path, code: 0 });
      expect(out).not.toMatch(/^[✗!]/m);
    }
  });

  test("says what is wrong, where, and how to fix it; exit 1", async () => {
    const url = await stubAgent(() => ({ body: card({ skills: [{ id: "s", name: "S", tags: [] }] }) }));
    const { code, out } = await assay("card", url);
    expect(code).toBe(1);
    expect(out).toContain("✗ $.skills[0].description");
  });

  test("gives the normalised card and the findings as JSON", async () => {
    const { out } = await assay("card", `${testbed.url}/full`, "--json");
    const shown = JSON.parse(out);
    expect(shown.card.name).toBe("Full Agent");
    expect(shown.dialects).toEqual([{ dialect: "1.0", because: expect.any(String) }]);
    expect(shown.interfaces).toHaveLength(7);
  });
});

test("assay demo plays every scene and ends by itself", async () => {
  const { code, out, err } = await assay("demo");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.match(/^\$ assay send/gm)).toHaveLength(8);
  expect(out).toContain('"Echo: are you there?"');
  expect(out).toContain("-32004 UNSUPPORTED_OPERATION");
});
