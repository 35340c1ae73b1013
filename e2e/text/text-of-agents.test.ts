import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@assay/protocol";
import { loadReporters } from "@assay/reporters";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { provesAll, sampleOf } from "../fixtures/proves-all.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { LoudAgent } from "./loud-agent.fixture.ts";
import { loud, loudAt, loudEnough, loudInText, placesIn, secret, whatLeaked } from "./loud-words.fixture.ts";

const reporters = await loadReporters();

// An agent that was shown a secret says it everywhere, in every form, among characters that drive terminals and build
// servers. Nothing of it may reach a screen or a file, whatever the command and the format.

const bed = useTestbed({ timeScale: 0 });
let agent: LoudAgent;
const [home, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), "assay-text-"))];
const others: Server[] = [];
beforeAll(async () => {
  process.chdir(folder);
  agent = await LoudAgent.start();
});
beforeEach(() => {
  vi.stubEnv("LOUD_TOKEN", secret);
  Object.assign(agent.script, { card: card(), result: { task }, events, error: undefined, raw: undefined });
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of others.splice(0)) server.close().closeAllConnections();
});
afterAll(async () => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
  await agent.close();
});

interface Telling {
  readonly isTerminal?: boolean;
  readonly about?: string;
  readonly login?: readonly string[];
  /** nothing is wrong with the call */
  readonly isUsable?: boolean;
}

const usual = ["--bearer", "env:LOUD_TOKEN"];

/** Runs a command and looks at everything it said. */
async function expectSilence(
  args: readonly string[],
  { isTerminal = true, about = args.join(" "), login = usual, isUsable = false }: Telling = {},
): Promise<string> {
  const screen = paperScreen({ isTerminal, isColored: isTerminal });
  const code = await run([...args, ...login], screen);
  const own = /\u001b\[(\d+m|\?25[hl]|\?2026[hl]|G|K|J|\d*A)/g;
  // Each annotation for GitHub is a line of its own, and its title has no colon.
  const annotations = /^::(error|warning|notice) title=[^:\n]*::/gm;
  const said = `${screen.out()}${screen.err()}`.replaceAll(own, "").replaceAll(annotations, "annotated ");
  expect(said, about).not.toContain("assay: internal error");
  expect(code, `${about}\n${said}`).not.toBe(3);
  if (isUsable) expect(code, `${about}\n${said}`).not.toBe(2);
  expect(whatLeaked(said), about).toBeUndefined();
  return said;
}

const part = { text: "hello", metadata: { note: "n" }, filename: "f", mediaType: "text/plain" };
const message = {
  messageId: "m1",
  contextId: "c1",
  taskId: "t1",
  role: "ROLE_AGENT",
  parts: [part],
  extensions: ["e"],
  referenceTaskIds: ["r"],
};
const status = { state: "TASK_STATE_COMPLETED", message, timestamp: "2026-11-15T10:00:00Z" };
const artifact = {
  artifactId: "a1",
  name: "n",
  description: "d",
  parts: [part, { data: { deep: ["d"] } }, { url: "http://x/", filename: "f" }],
};
const task = { id: "t1", contextId: "c1", status, artifacts: [artifact], history: [message], metadata: { m: "m" } };
const events = [
  { task },
  { statusUpdate: { taskId: "t1", contextId: "c1", status } },
  { artifactUpdate: { taskId: "t1", contextId: "c1", artifact, append: true, lastChunk: true } },
  { message },
];
const pushConfig = { id: "p1", taskId: "t1", url: "http://x/", token: "k", authentication: { scheme: "Bearer" } };
const error = {
  code: -32001,
  message: "no",
  status: "NOT_FOUND",
  details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "R", domain: "d", metadata: { k: "v" } }],
  data: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "R", domain: "d", metadata: { k: "v" } }],
};

const card = (binding = "JSONRPC"): JsonObject => ({
  name: "Loud",
  description: "d",
  version: "1",
  documentationUrl: "http://x/",
  iconUrl: "http://x/",
  provider: { organization: "o", url: "http://x/" },
  supportedInterfaces: [
    {
      url: { JSONRPC: `${agent.url}/rpc`, "HTTP+JSON": `${agent.url}/rest`, GRPC: agent.grpcUrl }[binding] ?? "",
      protocolBinding: binding,
      protocolVersion: "1.0",
      tenant: "t",
    },
  ],
  capabilities: { streaming: true, extensions: [{ uri: "u", description: "d", required: false, params: { p: "p" } }] },
  securitySchemes: { s: { apiKeySecurityScheme: { location: "header", name: "n", description: "d" } } },
  securityRequirements: [{ schemes: { s: { list: ["x"] } } }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "d", tags: ["t"], examples: ["e"], inputModes: ["text/plain"] }],
  signatures: [{ protected: "p", signature: "s", header: { h: "h" } }],
});

describe.each(provesAll ? ["", "--json"] : [""])("every member of every answer is quiet: %s", (json) => {
  const flags = json ? [json] : [];
  const name = (path: readonly (string | number)[]): string =>
    path.map((step) => (step === loudEnough ? "(new)" : step)).join(".");

  test("of the card, told by assay card", async () => {
    for (const path of sampleOf(placesIn(card()), 3)) {
      agent.script.card = loudAt(card(), path);
      await expectSilence(["card", agent.url, ...flags], { about: name(path) });
    }
  });

  test.each<[string, JsonObject]>([
    ["task", { task }],
    ["message", { message }],
  ])("of a %s, told by assay send", async (_what, result) => {
    for (const path of sampleOf(placesIn(result), 3)) {
      agent.script.result = loudAt(result, path);
      await expectSilence(["send", agent.url, "hi", ...flags], { about: name(path) });
    }
  });

  test("of an event, told by assay send --stream", async () => {
    for (const path of sampleOf(placesIn(events), 3)) {
      agent.script.events = loudAt(events as JsonValue[], path);
      await expectSilence(["send", agent.url, "hi", "--stream", ...flags], { about: name(path) });
    }
  });

  test.each<[string, JsonValue, ...string[]]>([
    ["get", task, "t1"],
    ["cancel", task, "t1"],
    ["list", { tasks: [task], nextPageToken: "n", pageSize: 1, totalSize: 2 }],
    ["subscribe", task, "t1"],
    ["push get", pushConfig, "t1", "p1"],
    ["push list", { configs: [pushConfig], nextPageToken: "n" }, "t1"],
    ["push create", pushConfig, "t1", "--to", "http://127.0.0.1:9/hook"],
    ["push delete", {}, "t1", "p1"],
  ])("of what assay %s asks for", async (command, result, ...more) => {
    for (const binding of ["JSONRPC", "HTTP+JSON"]) {
      agent.script.card = card(binding);
      agent.script.events = events.map((event) => loudInText(event, loudEnough));
      agent.script.result = loudInText(result, loudEnough);
      await expectSilence([...command.split(" "), agent.url, ...more, ...flags]);
      agent.script.error = loudInText(error, loudEnough) as JsonObject;
      await expectSilence([...command.split(" "), agent.url, ...more, ...flags]);
      agent.script.error = undefined;
    }
  });

  testIf(provesAll)("of the cards and answers that assay interop compares", async () => {
    agent.script.card = loudInText(card(), loudEnough) as JsonObject;
    agent.script.result = loudInText({ task }, loudEnough);
    const pair = ["interop", agent.url, agent.url, "--no-config", "--task-timeout", "2"];
    await expectSilence([...pair, "--no-test", ...flags]);
    agent.script.card = card();
    await expectSilence([...pair, "--relay", "Ask the agent at {url}: {text}", ...flags]);
  });

  test.each(["JSONRPC", "HTTP+JSON"])("of an error over %s", async (binding) => {
    agent.script.card = card(binding);
    for (const path of sampleOf(placesIn(error), 3)) {
      agent.script.error = loudAt(error, path);
      await expectSilence(["send", agent.url, "hi", ...flags], { about: name(path) });
      await expectSilence(["send", agent.url, "hi", "--stream", ...flags], { about: name(path) });
    }
  });

  test.each(["HTTP+JSON", "GRPC"])("of an answer and a stream over %s", async (binding) => {
    agent.script.card = card(binding);
    agent.script.result = { task: { ...(loudInText(task) as JsonObject), id: loud } };
    agent.script.events = events.map((event) => loudInText(event));
    await expectSilence(["send", agent.url, "hi", ...flags]);
    await expectSilence(["send", agent.url, "hi", "--stream", "--save", "loud.har", ...flags]);
    expect(whatLeaked(readFileSync("loud.har", "utf8"))).toBeUndefined();
  });

  test.each([
    ["no JSON", `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${loud}`],
    ["a web page", `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html>${loud}`],
    [
      "a login",
      `HTTP/1.1 401 ${loud.replace(/\s+/g, " ")}\r\nWWW-Authenticate: ${encodeURIComponent(loud)}\r\nConnection: close\r\n\r\n${loud}`,
    ],
    [
      "a redirect",
      `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/${encodeURIComponent(loud)}\r\nConnection: close\r\n\r\n`,
    ],
    ["no HTTP", loud],
    [
      "a stream of nothing",
      `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: ${loud}\n\n`,
    ],
  ])("of what is no answer: %s", async (_what, raw) => {
    agent.script.raw = raw;
    for (const more of [[], ["--stream"]]) await expectSilence(["send", agent.url, "hi", ...more, ...flags]);
  });
});

describe.each<[string, readonly string[]]>([
  ["a header with a scheme", ["--header", `Authorization: Bearer ${secret}`]],
  ["a header under a harmless name", ["--header", `X-Trace: ${secret}`]],
  ["a header that is harmless as a rule", ["--header", `User-Agent: ${secret}`]],
  ["a header from the environment", ["--header", "X-Own: env:LOUD_TOKEN"]],
  ["a cookie", ["--header", `Cookie: a=1; sid=${secret}`]],
  ["an API key", ["--api-key", "X-Own=env:LOUD_TOKEN"]],
  ["a password", ["--basic", "user:env:LOUD_TOKEN"]],
])("a secret is a secret, however it is given: %s", (_way, given) => {
  test.each([["card"], ["send", "hi"]])("assay %s", async (command, ...words) => {
    agent.script.card = loudInText(card()) as JsonObject;
    agent.script.result = { task: { ...task, id: loud } };
    await expectSilence([command, agent.url, ...words], { login: given });
  });
});

test("headers in assay.yaml are secrets as well", async () => {
  agent.script.card = loudInText(card(), loudEnough) as JsonObject;
  writeFileSync(
    "headers.yaml",
    JSON.stringify({ principals: { default: { headers: { Authorization: `Bearer ${secret}` } } } }),
  );
  const flags = ["--config", "headers.yaml", "--depth", "card", "--no-record"];
  await expectSilence(["test", agent.url, ...flags], { login: [] });
  await expectSilence(["test", agent.url, ...flags, "--json"], { login: [] });
});

test("no report, recording or repeat command contains a secret header, even with a harmless name", async () => {
  for (const file of filesBelow(".")) rmSync(file);
  agent.script.card = card();
  agent.script.result = { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } };
  const reports = formats.flatMap((format) => (format === "github" ? [] : ["--report", `${format}=header.${format}`]));
  const flags = ["--no-config", "--depth", "quick", "--only", "SEND-00*", "--only", "ERR-02*", "--timeout", "5"];
  await expectSilence(["test", agent.url, ...reports, ...flags], { login: ["--header", `X-Trace: ${secret}`] });
  const written = filesBelow(".").filter((file) => !file.includes("history.db"));
  expect(written.join(" ")).toContain(".ndjson");
  expect(readFileSync("header.har", "utf8")).toContain("«secret:x-trace»");
  for (const file of written) expect(whatLeaked(readFileSync(file, "utf8")), file).toBeUndefined();
});

test("assay init writes none of it down", async () => {
  agent.script.card = loudInText(card()) as JsonObject;
  await expectSilence(["init", `${agent.url}/?token=${encodeURIComponent(secret)}`, "--config", "loud.yaml"]);
  expect(whatLeaked(readFileSync("loud.yaml", "utf8"))).toBeUndefined();
});

const formats = Object.keys(reporters);
/** Enough rules that something is wrong with in all the ways there are. */
const some = [
  "CARD-00*",
  "SEND-00*",
  "GET-00*",
  "ERR-02*",
  "STREAM-00*",
  "CANCEL-00*",
  "JSONRPC-00*",
  "GRPC-00*",
  "DATA-00*",
];
const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Tests the agent in every format, looks at all that is printed and written, and tells it all again. */
async function expectQuietTest(url: string, more: readonly string[]): Promise<void> {
  for (const file of filesBelow(".")) rmSync(file);
  const inFiles = formats.filter((format) => format !== "github");
  const reports = inFiles.flatMap((format) => ["--report", `${format}=report.${format}`]);
  const flags = [
    "--timeout",
    "5",
    "--task-timeout",
    "3",
    "--baseline-update",
    "--depth",
    "quick",
    ...some.flatMap((rule) => ["--only", rule]),
    ...more,
  ];
  await expectSilence(["test", url, ...reports, ...flags]);
  for (const isTerminal of [true, false])
    await expectSilence(["replay", "last", "--no-config", "--url", url, "--timeout", "5"], { isTerminal });
  await expectSilence(["replay", "last", "--no-config", "--url", url, "--timeout", "5", "--json"]);
  const unsent = ["test", url, "--no-config", "--dry-run", "--depth", "quick", "--only", "SEND-00*", ...more];
  await expectSilence(unsent);
  await expectSilence([...unsent, "--json"]);
  for (const format of formats.filter((each) => each !== "html"))
    await expectSilence(["report", "last", "--report", format], { isTerminal: false, login: [], isUsable: true });
  const again = [["report", "last"], ["runs"], ["runs", "--json"], ["diff", "last", "last"]];
  for (const more of ["--json", "--markdown"]) again.push(["diff", "last", "last", more]);
  for (const command of again)
    for (const isTerminal of [true, false]) await expectSilence(command, { isTerminal, login: [], isUsable: true });
  // The history is a database, which is read by programs alone.
  const written = filesBelow(".").filter((file) => !file.includes("history.db"));
  expect(written.length).toBeGreaterThan(inFiles.length + 2);
  for (const file of written) expect(whatLeaked(readFileSync(file, "utf8")), file).toBeUndefined();
}

describe("a test of a loud agent is quiet on the screen, in every report and in .assay/runs", () => {
  testIf(provesAll)("that answers like the test bed, and adds its own to every text", async () => {
    const front = await loudFront(bed.url);
    await expectQuietTest(`${front}/spec?key=${encodeURIComponent(secret)}`, ["--binding", "JSONRPC"]);
  });

  test.each(provesAll ? ["JSONRPC", "GRPC"] : ["GRPC"])(
    "that says the same to whatever is asked over %s",
    async (binding) => {
      agent.script.card = { ...(loudInText(card(binding), loudEnough) as JsonObject) };
      agent.script.result = { task: { ...(loudInText(task, loudEnough) as JsonObject), id: loudEnough } };
      agent.script.events = events.map((event) => loudInText(event, loudEnough));
      await expectQuietTest(agent.url, []);
    },
  );

  test("whose interfaces cannot be spoken to", async () => {
    const interfaces = [{ url: `http://127.0.0.1:9/${loud}`, protocolBinding: loud, protocolVersion: loud }];
    agent.script.card = { ...card(), supportedInterfaces: interfaces };
    await expectSilence(["test", agent.url, "--json", "--no-record"]);
    await expectSilence(["test", agent.url, "--no-record"], { isTerminal: false });
  });
});

test("reports of scenarios escape hostile text of the agent, in every format", async () => {
  agent.script.card = loudInText(card()) as JsonObject;
  agent.script.result = { task: { ...(loudInText(task, loudEnough) as JsonObject), id: loudEnough } };
  for (const file of filesBelow(".")) rmSync(file);
  writeFileSync("loud.yaml", scenario);
  const reports = ["json", "junit", "markdown", "acts"].flatMap((format) => ["--report", `${format}=acts.${format}`]);
  for (const isTerminal of [true, false])
    await expectSilence(["acts", "loud.yaml", "--url", agent.url, ...reports], { isTerminal });
  for (const file of filesBelow(".")) expect(whatLeaked(readFileSync(file, "utf8")), file).toBeUndefined();
});

const scenario = `
acts_version: "1.0"
spec_version: "1.0"
metadata: { title: t, description: d, license: Apache-2.0 }
suites:
  - id: loud
    name: Loud
    tests:
      - id: wrong-everywhere
        name: nothing is as expected
        level: must
        steps:
          - id: card
            operation: get_agent_card
            params: {}
            expect: { status: 200, body: { name: other, description: other } }
          - id: send
            operation: send_message
            params: { message: { role: ROLE_USER, parts: [{ text: hi }] } }
            expect: { body: { task: { id: other, status: { state: TASK_STATE_FAILED } } } }
`;

/** Stands before the test bed, and makes every text in its answers loud. */
async function loudFront(behind: string): Promise<string> {
  const { port } = new URL(behind);
  const server = createServer((incoming, response) => {
    const onward = request(
      { host: "127.0.0.1", port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        const { "content-length": _, ...headers } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, headers);
        let text = "";
        const isStream = /event-stream/.test(headers["content-type"] ?? "");
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
          if (!isStream) return;
          const whole = text.split("\n\n");
          text = whole.pop() ?? "";
          for (const event of whole)
            response.write(`${event.replace(/^data: ?(.*)$/gm, (_line, data: string) => `data: ${made(data)}`)}\n\n`);
        });
        answer.on("end", () => response.end(isStream ? text : made(text)));
      },
    );
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function made(text: string): string {
  try {
    return JSON.stringify(loudInText(JSON.parse(text) as JsonValue, loudEnough));
  } catch {
    return text;
  }
}
