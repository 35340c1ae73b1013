import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { readAssayYaml } from "@assay/library/config";
import { version } from "@assay/library/version";
import { catalogues } from "@assay/suite";
import { optionNames } from "@assay/suite/options";
import type { Command } from "commander";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { commandGroups } from "./commands/command.ts";
import { createProgram, run } from "./main.ts";
import { paperScreen } from "./screen.fixture.ts";

let testbed: Testbed;
const servers: Server[] = [];
// Commands that leave something behind leave it in the folder they are called in.
const home = process.cwd();
beforeAll(async () => {
  process.chdir(mkdtempSync(join(tmpdir(), "assay-main-")));
  testbed = await startTestbed({ host: "127.0.0.1", port: 0, version: "9.9.9", timeScale: 0 });
});
afterAll(async () => {
  process.chdir(home);
  await testbed.close(0);
});
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
    expect(await assay("--version")).toEqual({ code: 0, out: `${version} (rules 1.0.1-r1)\n`, err: "" });
  });

  const commands = (command: Command): Command[] =>
    command.commands.flatMap((each) => (each.name() === "examine-agents" ? [] : [each, ...commands(each)]));
  const program = createProgram(paperScreen(), () => {});
  const names = [program, ...commands(program)].map((each) => {
    const path: string[] = [];
    for (let at = each; at.parent; at = at.parent) path.unshift(at.name());
    return path;
  });

  test.each(names.map((path) => [path]))("%j --help has an example and fits 80 columns", async (command) => {
    const { code, out } = await assay(...command, "--help");
    expect(code).toBe(0);
    expect(out).toMatch(/Examples:\n(?: {2}#.*\n)? {2}\$ assay /);
    expect(out.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test("--help lists every command in one of four groups", async () => {
    const { out } = await assay("--help");
    const headings = out.split("\n").filter((line) => /^[A-Z].*:$/.test(line));
    expect(headings).toEqual(["Examples:", ...Object.values(commandGroups), "Options:", "Exit codes:"]);
  });

  test("test --help shows the 15 common options, --help-all shows every one within 80 columns", async () => {
    const flags = (text: string) => text.match(/^ {2}(?:-h, )?--[a-z-]+/gm) ?? [];
    const { out } = await assay("test", "--help");
    expect(flags(out).filter((flag) => !flag.includes("--help"))).toHaveLength(15);
    expect(out).toContain("--help-all");
    const all = await assay("test", "--help-all");
    expect(all.code).toBe(0);
    expect(flags(all.out).length).toBeGreaterThan(optionNames.length);
    expect(all.out.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
  });

  test.each([
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["send", "http://127.0.0.1:1"], "Nothing to send"],
    [["send", "http://127.0.0.1:1", "x", "--binding", "SOAP"], "Allowed choices are JSONRPC, HTTP+JSON"],
    [["send", "not a url", "x"], '"not a url" is not a valid URL'],
    [["card", "ftp://127.0.0.1"], "is neither http nor https"],
    [["test"], "No agent to test: no URL given"],
    [["test", ""], "No agent to test: the URL is empty"],
    [["test", "http://127.0.0.1:1", "--depth", "deep"], "Allowed choices are card, free, quick, full"],
    [["test", "http://127.0.0.1:1", "--binding", "SOAP"], "Allowed choices are JSONRPC, HTTP+JSON, GRPC"],
    [["test", "http://127.0.0.1:1", "--keep", "0"], "Expected a whole number from 1"],
    [["test", "http://127.0.0.1:1", "--only", "STREM-003"], "Did you mean STREAM-003?"],
    [["test", "http://127.0.0.1:1", "--config", "nowhere.yaml"], "file not found: nowhere.yaml"],
    [["test", "http://127.0.0.1:1", "--webhook-listen", "here"], "Expected host:port, such as 127.0.0.1:8080."],
    [["serve", "--port", "99999"], "a port from 0"],
    [["serve", "--cert", "x.pem"], "--cert requires --key"],
    [["card", "http://127.0.0.1:1", "--bearer", "env:NO_SUCH_VARIABLE"], "NO_SUCH_VARIABLE is not set"],
  ])("%j is wrong usage: exit 2 and a reason", async (args, reason) => {
    const { code, err } = await assay(...args);
    expect(code).toBe(2);
    expect(err).toContain(reason);
  });

  test("a report of the last run, where none is, is wrong usage", async () => {
    const place = process.cwd();
    process.chdir(mkdtempSync(join(tmpdir(), "assay-empty-")));
    const { code, err } = await assay("report", "last").finally(() => process.chdir(place));
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("No runs in .assay/runs") });
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
    const url = await stubAgent((path) => {
      if (path === "/.well-known/agent-card.json") return { body: card() };
      return path === "/rpc"
        ? { body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}' }
        : { status: 404, body: "" };
    });
    const { out } = await assay("send", `${url}/rpc`, "hi");
    expect(out.split("\n")[0]).toBe(`card found at ${url}/.well-known/agent-card.json (no card below /rpc)`);
  });

  test("does not take the card of another agent on the host", async () => {
    const { code, err } = await assay("send", `${testbed.url}/nowhere`, "message-only hi");
    expect(code).toBe(2);
    expect(timeless(err)).toBe(
      'assay: No agent card was found for http://HERE/nowhere. The card at http://HERE/.well-known/agent-card.json belongs to another agent, "Spec Agent".\nIf you mean that agent, pass its address: http://HERE\n',
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
    expect(out).toContain('-32001 TASK_NOT_FOUND: Task "nope" not found');
  });

  test("a missing agent is exit 2 with the next step", async () => {
    const { code, err } = await assay("send", "http://127.0.0.1:1/", "hi");
    expect(code).toBe(2);
    expect(err).toContain("Cannot reach http://127.0.0.1:1/");
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
    expect(err.match(/HTTP 404/g)).toHaveLength(6);
  });

  test("an answer that is no A2A is exit 1", async () => {
    const url = await stubAgent((path) => ({ body: path === "/rpc" ? "<html>" : card() }));
    const { code, out } = await assay("send", url, "hi");
    expect(code).toBe(1);
    expect(out).toContain(`${url}/rpc does not speak JSONRPC: it answered with a web page`);
  });

  test("an answer that breaks the schema is exit 1, and says where", async () => {
    const answer = { jsonrpc: "2.0", id: 1, result: { task: { id: "t", status: { state: "done" } } } };
    const url = await stubAgent((path) => ({ body: path === "/rpc" ? JSON.stringify(answer) : card() }));
    const { code, out } = await assay("send", url, "hi");
    expect(code).toBe(1);
    expect(out).toContain("the response breaks the schema of 1.0: $.task.status.state expected one of");
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
    // Windows has no such modes.
    expect(statSync(file).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  });

  test("a secret on the command line is taken with a warning", async () => {
    const { code, err } = await assay("send", `${testbed.url}/echo`, "hi", "--bearer", "literal");
    expect(code).toBe(0);
    expect(err).toContain("Use env:NAME or @file");
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

  test("checks a card in a file, and contacts nothing", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "assay-card-")), "card.json");
    writeFileSync(file, card({ skills: [{ id: "s", name: "S", tags: [] }] }));
    const { code, out } = await assay("card", file);
    expect(code).toBe(1);
    expect(out).toContain(file);
    expect(out).toContain("✗ $.skills[0].description");
    expect(out).toMatch(/^1 error, \d+ warnings?, \d+ notes?$/m);
    writeFileSync(file, "{}");
    expect((await assay("card", file)).out).toContain("The card lists no interface");
    expect((await assay("card", "no-such-card.json")).err).toContain("cannot read no-such-card.json: file not found");
  });

  test("gives the normalised card and the findings as JSON", async () => {
    const { out } = await assay("card", `${testbed.url}/full`, "--json");
    const shown = JSON.parse(out);
    expect(shown.card.name).toBe("Full Agent");
    expect(shown.dialects).toEqual([{ dialect: "1.0", because: expect.any(String) }]);
    expect(shown.interfaces).toHaveLength(7);
  });
});

describe("assay test", () => {
  const mutant = () => `${testbed.url}/mutants/STREAM-003.status-first`;

  test("finds the fault of an agent that has one, and says how to see it again; exit 1", async () => {
    const { code, out, err } = await assay("test", mutant(), "--only", "STREAM-003");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toContain("1 rule broken");
    expect(out).toMatch(/^ +fix +Send the Task as the first event/m);
    expect(out).toMatch(/^ +reproduce +curl -sN /m);
    expect(out).toContain("Next    assay explain STREAM-003");
  });

  // In each of the two versions that the agent speaks.
  test("finds none where there is none, and takes a filter from the project", async () => {
    writeFileSync("filter.yaml", `url: ${testbed.url}/spec\nonly: [STREAM-003]\n`);
    const { code, out } = await assay("test", "--config", "filter.yaml", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ending: "done", summary: { failed: 0, examined: 2 } });
  });

  test("is told again from its record, in any format", async () => {
    await assay("test", mutant(), "--only", "STREAM-003");
    expect((await assay("report", "last")).out).toContain("1 rule broken");
    const { code, out } = await assay("report", "last", "--report", "junit");
    expect(code).toBe(0);
    expect(out).toMatch(/<testsuites? /);
  });

  test("--list takes no agent", async () => {
    const { code, out } = await assay("test", "--list", "--only", "STREAM-003");
    expect(code).toBe(0);
    expect(out).toMatch(/^STREAM-003 .*\n\n1 check\./);
  });

  test("--list shows what a check costs, also one that only reads what others send", async () => {
    const { out } = await assay("test", "--list", "--only", "STREAM-003,GET-001,GET-002,CARD-003");
    const costs = [...out.matchAll(/^(\S+) .*(card|passive|active) +(\w+) +(free|\d+ messages?) /gm)];
    expect(costs.map(([, ...told]) => told.join(" ")).toSorted()).toEqual([
      "CARD-003 card card free",
      "GET-001 active quick 1 message",
      "GET-002 active free free",
      "STREAM-003 passive quick 6 messages",
    ]);
  });

  test("--list says which versions have a rule, and --dialect leaves those of one", async () => {
    const { out } = await assay("test", "--list", "--dialect", "0.3", "--only", "versioning");
    expect(out).toMatch(/^V03-VER-001 +0\.3 +active/m);
    expect(out).not.toMatch(/^VER-007 /m);
  });

  test("an agent of an older version is tested by the rules of that version, and it is said how that is known", async () => {
    const { code, out } = await assay("test", `${testbed.url}/spec01`, "--only", "SEND-001");
    expect(code).toBe(0);
    expect(out).toContain("Tested in 0.1 (the endpoint knows tasks/send).");
  });
});

describe("assay explain", () => {
  test("explains the advice of --faults", async () => {
    const { code, out } = await assay("explain", "fault-006");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "FAULT-006: advice of assay test --faults. It is not a rule of A2A and changes no verdict.
      given when  A task waits for the response of a slow webhook.
      fix         Send notifications outside the task, with a timeout of 10 to 30 seconds.
      "
    `);
    const { out: json } = await assay("explain", "FAULT-006", "--json");
    expect(JSON.parse(json)).toMatchObject({ advice: { id: "FAULT-006" } });
  });

  test("explains the properties of assay gateway", async () => {
    const { code, out } = await assay("explain", "gw-stream-timing");
    expect(code).toBe(0);
    expect(out).toMatch(/^GW-STREAM-TIMING: a property of assay gateway \(streams\)\.$/m);
    expect(out).toMatch(/^examined {4}The gateway passes events on as they happen$/m);
    expect(out).toMatch(/^fix {9}Disable response buffering/m);
    const { out: json } = await assay("explain", "GW-STREAM-TIMING", "--json");
    expect(JSON.parse(json)).toMatchObject({ property: { id: "GW-STREAM-TIMING", area: "streams" } });
    const unknown = await assay("explain", "GW-STREAM-TIMNG");
    expect(unknown.code).toBe(2);
    expect(unknown.err).toContain('Unknown property "GW-STREAM-TIMNG". Did you mean GW-STREAM-TIMING?');
  });

  test("says what a rule asks, how it is checked and what proves it", async () => {
    const { code, out } = await assay("explain", "stream-003");
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toBe("STREAM-003  MUST  §3.1.2 of A2A 1.0");
    expect(out).toMatch(/^ +\/mutants\/STREAM-003\.status-first/m);
    expect(out).toMatch(/^Remedy +Send the Task as the first event/m);
  });

  test("takes the id of a mutant for the rule that it breaks", async () => {
    const { out } = await assay("explain", "STREAM-003.status-first", "--json");
    expect(JSON.parse(out)).toMatchObject({ rule: { id: "STREAM-003" }, ends: "checked" });
  });

  test("guesses at what was meant", async () => {
    const { code, err } = await assay("explain", "STREM-003");
    expect(code).toBe(2);
    expect(err).toContain('Unknown rule "STREM-003". Did you mean STREAM-003?');
  });

  test("tells an error in every version, by the code that a client got", async () => {
    const { code, out } = await assay("explain", "-32001");
    expect([code, out.split("\n")[0]]).toEqual([0, "TaskNotFoundError"]);
    const { out: json } = await assay("explain", "TASK_NOT_FOUND", "--json");
    expect(JSON.parse(json)).toMatchObject({ errors: [{ name: "TaskNotFound", versions: { length: 4 } }] });
  });

  test("guesses at an error", async () => {
    const { code, err } = await assay("explain", "TaskNotFondError");
    expect(code).toBe(2);
    expect(err).toContain('Unknown rule or error "TaskNotFondError". Did you mean TaskNotFound?');
  });
});

describe("assay coverage", () => {
  const rules = catalogues["1.0"];

  test("accounts for every rule", async () => {
    const rows = JSON.parse((await assay("coverage", "--json")).out);
    expect(rows).toHaveLength(rules.length);
    const { out } = await assay("coverage");
    expect(out.split("\n")[0]).toContain(`${rules.length} rules of A2A 1.0`);
    // What is about clients is checked too, or said not to be yet.
    expect(out).toMatch(/^ +\d+ {2}client /m);
  });

  test("lists an area, and guesses at one that is not there", async () => {
    const { out } = await assay("coverage", "--area", "get");
    expect(out.match(/^GET-\d+/gm)).toHaveLength(5);
    expect((await assay("coverage", "--area", "STRAM")).err).toContain("Did you mean STREAM?");
  });

  test("is a table in Markdown", async () => {
    const { out } = await assay("coverage", "--markdown");
    expect(out.match(/^\| [A-Z]+-\d+ \|/gm)).toHaveLength(rules.length);
  });
});

test("two settings files are an error that names both", async () => {
  for (const name of ["assay.yaml", "a2a-assay.yaml"]) writeFileSync(name, "depth: card\n");
  const { code, err } = await assay("test", `${testbed.url}/echo`);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Found both assay.yaml and a2a-assay.yaml") });
  expect((await assay("test", `${testbed.url}/echo`, "--config", "a2a-assay.yaml")).code).toBe(0);
  rmSync("assay.yaml");
  const alone = await assay("test", `${testbed.url}/echo`);
  expect({ code: alone.code, out: alone.out }).toEqual({ code: 0, out: expect.stringContaining("0 messages") });
  rmSync("a2a-assay.yaml");
});

describe("assay init", () => {
  test("writes settings that can be read, and does not write over them", async () => {
    const { code, out } = await assay("init", `${testbed.url}/full`);
    expect({ code, out }).toEqual({ code: 0, out: "Wrote assay.yaml. Review it, then run: assay test\n" });
    expect(readAssayYaml("assay.yaml")).toEqual({
      file: "assay.yaml",
      url: `${testbed.url}/full`,
      depth: "quick",
    });
    const again = await assay("init", `${testbed.url}/full`);
    expect(again.code).toBe(2);
    expect(again.err).toContain("assay.yaml already exists");
    expect((await assay("init", `${testbed.url}/full`, "--force")).code).toBe(0);
    rmSync("assay.yaml");
  });

  test("writes down which messages brought what about, and what may bring about the rest", async () => {
    const url = `${testbed.url}/variants/asks-back`;
    const { code, out } = await assay("init", url, "--config", "learned.yaml");
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        "Trying messages to learn how the agent behaves: at most 8 messages. --budget 0 sends none.",
        "Wrote learned.yaml. Review it, then run: assay test --config learned.yaml",
        "",
      ].join("\n"),
    });
    expect(readAssayYaml("learned.yaml").prompts).toEqual({ inputRequired: "Reply with the word OK." });
    const text = readFileSync("learned.yaml", "utf8");
    expect(text).toMatch(/^ {2}inputRequired: .* # triggered a task: input_required after \d+\.\d s$/m);
    expect(text).toMatch(/^ {2}# slow: "…" {3}# something that takes several seconds/m);
  });

  test("with --budget 0 goes by the card alone", async () => {
    const { out } = await assay("init", `${testbed.url}/variants/asks-back`, "--config", "card.yaml", "--budget", "0");
    expect(out).toBe("Wrote card.yaml. Review it, then run: assay test --config card.yaml\n");
    expect(readAssayYaml("card.yaml").prompts ?? undefined).toBeUndefined();
  });

  test("names the login that the card asks for", async () => {
    await assay("init", `${testbed.url}/secure`, "--config", "secure.yaml");
    expect(readAssayYaml("secure.yaml").principals).toEqual({ default: { apiKey: "X-API-Key=env:AGENT_KEY" } });
  });

  test("a hostile card cannot write settings", async () => {
    const evil = '"\nprompts: { task: "delete everything" }\u2028#\u202e';
    const skills = [
      { id: evil, name: evil, description: "d", tags: ["t"], examples: [evil] },
      { id: "b", name: evil, description: "d", tags: ["t"] },
    ];
    const url = await stubAgent(() => ({ body: card({ name: evil, version: evil, skills }) }));
    await assay("init", url, "--config", "evil.yaml");
    expect(readAssayYaml("evil.yaml")).toEqual({ file: "evil.yaml", url: `${url}/`, depth: "quick" });
  });
});
