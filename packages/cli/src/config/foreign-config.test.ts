import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

/** What the assay.yaml of someone else gets of this machine. */

// The first command loads all of the suite, which takes a busy machine its time.
vi.setConfig({ testTimeout: 120_000 });

const root = mkdtempSync(join(tmpdir(), "assay-foreign-"));
const folder = join(root, "project");
const config = join(folder, "assay.yaml");
const [outside, started] = [join(root, "key.pem"), join(folder, "started")];
/** every request: its login in clear, and what had been said by then */
let heard: { readonly line: string; readonly said: string }[] = [];
let said = (): string => "";
let server: Server;
let [url, host] = ["", ""];

beforeAll(async () => {
  mkdirSync(folder);
  writeFileSync(outside, "s3cret-outside\n");
  writeFileSync(join(folder, "inside"), "s3cret-inside\n");
  symlinkSync(outside, join(folder, "link"));
  vi.stubEnv("FOREIGN_SECRET", "s3cret-variable");
  server = createServer((request, response) => {
    const { authorization = "" } = request.headers;
    const login = authorization.replace(/^Basic (.*)/, (_, pair) => Buffer.from(pair, "base64").toString());
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      heard.push({ line: `${login} ${JSON.stringify(request.headers)} ${Buffer.concat(chunks)}`, said: said() });
      response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `http://${host}`;
});
beforeEach(() => {
  heard = [];
  rmSync(started, { force: true });
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  rmSync(root, { recursive: true });
});

async function assay(...args: string[]) {
  const screen = paperScreen({ isTerminal: false });
  said = screen.err;
  const code = await run(args, screen);
  return { code, out: screen.out(), err: screen.err() };
}

const tested = (yaml: string, ...flags: string[]) => {
  writeFileSync(config, `url: ${url}\n${yaml}\n`);
  return assay("test", "--config", config, "--depth", "card", "--no-record", ...flags);
};

const withSecret = (of: string) => heard.filter(({ line }) => line.includes(of));

test.each([
  ["basic", `basic: "x:@${outside}"`],
  ["a relative path", 'bearer: "@../key.pem"'],
  ["a link", 'bearer: "@link"'],
  ["an API key", `apiKey: "X-Key=@${outside}"`],
  ["a query", `apiKey: "query:key=@${outside}"`],
  ["an OAuth secret", `oauth: { client: me, secret: "@${outside}", tokenUrl: "$URL/token" }`],
  ["a certificate", `cert: ${outside}\n    key: ${outside}`],
])("a config file cannot send a file outside its folder, by %s", async (_how, login) => {
  for (const owner of ["default", "second", "invalid: { expired"]) {
    const close = owner.includes("{") ? " }" : "";
    const inner = login.includes("\n") ? `{ ${login.replace("\n    ", ", ")} }` : `{ ${login} }`;
    const { code, err } = await tested(`principals: { ${owner}: ${inner.replace("$URL", url)}${close} }`, "--no-start");
    expect([code, heard]).toEqual([2, []]);
    expect(err).toContain(`--allow-secret @${login.includes("@link") ? join(folder, "link") : outside}@${host}`);
  }
});

test("--allow-secret lets a config file send an outside file to the named host only", async () => {
  const yaml = `principals: { default: { bearer: "@../key.pem" } }`;
  await tested(yaml, "--allow-secret", `@${outside}@127.0.0.1:1`);
  expect(heard).toEqual([]);
  await tested(yaml, "--allow-secret", `@${outside}@${host}`);
  expect(withSecret("Bearer s3cret-outside")).not.toEqual([]);
  heard = [];
  // What the file itself trusts does not widen that.
  const { err } = await tested(`${yaml}\ntrustHosts: [evil.example]`, "--allow-secret", `@${outside}@${host}`);
  expect([heard, err]).toEqual([[], expect.stringContaining("--trust-host evil.example")]);
});

test("a project of one's own stays convenient: its variables, and files of its folder, from where the file is", async () => {
  await tested(`principals: { default: { bearer: env:FOREIGN_SECRET } }`);
  expect(withSecret("Bearer s3cret-variable")).not.toEqual([]);
  heard = [];
  await tested(`principals: { default: { basic: "me:@inside" } }`);
  expect(withSecret("me:s3cret-inside")).not.toEqual([]);
});

test.each([
  [[], "default"],
  [["--json"], "default"],
  [["--dry-run"], "second"],
])("assay prints which reference goes to which host before the first request, with flags %j", async (flags, owner) => {
  const oauth = `oauth: { client: me, secret: env:FOREIGN_SECRET, tokenUrl: "${url}/token" }`;
  const { err } = await tested(
    `principals: { ${owner}: { bearer: env:FOREIGN_SECRET }, restricted: { ${oauth} } }\ntrustHosts: ["127.0.0.1:1"]`,
    ...flags,
  );
  const line = `sends env:FOREIGN_SECRET to ${host}, 127.0.0.1:1`;
  expect(err).toContain(line);
  expect(heard).not.toEqual([]);
  expect(heard.filter((each) => !each.said.includes(line))).toEqual([]);
});

test("--untrusted-config refuses and lists every reference, command and trusted host of the file", async () => {
  const yaml = [
    `start: touch ${started}`,
    "trustHosts: [evil.example]",
    `card: http://127.0.0.1:1/card`,
    "principals:",
    '  default: { bearer: env:FOREIGN_SECRET, headers: { X-Key: "env:FOREIGN_SECRET" } }',
    '  second: { basic: "x:@inside" }',
    "  restricted: { headers: { X-Who: carol } }",
    '  invalid: { expired: { bearer: "@inside" } }',
  ].join("\n");
  const { err } = await tested(yaml, "--untrusted-config");
  for (const refused of [
    `start: touch ${started}`,
    "trustHosts: evil.example",
    "card: http://127.0.0.1:1/card",
    "principals.default: env:FOREIGN_SECRET",
    "principals.second: @inside",
    "principals.invalid.expired: @inside",
  ])
    expect(err).toContain(refused);
  expect(err).not.toContain("principals.restricted");
  expect(heard).not.toEqual([]);
  expect([withSecret("s3cret"), existsSync(started)]).toEqual([[], false]);
});

test("a card on another host that the file names is said to see the credentials of the command line", async () => {
  const { err } = await tested("card: http://127.0.0.1:1/card", "--bearer", "env:FOREIGN_SECRET");
  expect(err).toContain("card sends the credentials of the command line to 127.0.0.1:1, too");
});

test("--no-start runs no command, and its help says that secrets are still used", async () => {
  await tested(`start: touch ${started}\nprincipals: { default: { bearer: env:FOREIGN_SECRET } }`, "--no-start");
  expect([withSecret("s3cret").length > 0, existsSync(started)]).toEqual([true, false]);
  const { out } = await assay("test", "--help-all");
  expect(out.replaceAll(/\s+/g, " ")).toMatch(/--no-start .{0,80}its secrets are still used/);
});

/** A recording with one request in it. */
function recording(): string {
  const at = "2026-11-17T08:00:00.000Z";
  const started = { event: "run-started", run: "r", at, tool: { name: "assay", version: "1" }, ruleSet: "1.0.1-r1" };
  const request = { method: "GET", url: `${url}/.well-known/agent-card.json`, headers: [] };
  const entry = {
    startedDateTime: at,
    time: 1,
    request,
    response: { status: 404, headers: [], content: { text: "" } },
  };
  const events = [
    { ...started, agentUrl: url, depth: "card", strict: false },
    { event: "exchange", id: "1", entry },
  ];
  const file = join(root, "run.ndjson");
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return file;
}

test.each(["interop", "replay"])("assay %s reads the file through the same place", async (command) => {
  writeFileSync(config, `url: ${url}\nprincipals: { default: { bearer: "@../key.pem" } }\n`);
  const args = command === "interop" ? [url, `${url}/b`] : [recording(), "--url", url];
  const refused = await assay(command, ...args, "--config", config);
  expect([refused.code, heard]).toEqual([2, []]);
  expect(refused.err).toContain(`--allow-secret @${outside}@${host}`);
  const { err } = await assay(command, ...args, "--config", config, "--untrusted-config");
  expect(err).toContain("principals.default: @../key.pem");
  expect([heard.length > 0, withSecret("s3cret")]).toEqual([true, []]);
});

test.each(["env:TOKEN", "TOKEN@a.example", "@file"])("--allow-secret %s is told at once", async (flag) => {
  const { code, err } = await tested("", "--allow-secret", flag);
  expect([code, heard]).toEqual([2, []]);
  expect(err).toContain("expected env:NAME@host[:port] or @file@host[:port]");
});
