import dns from "node:dns";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { RunFolder } from "../../packages/library/src/runs/run-folder.ts";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { type RecordingServer, startRecordingServer } from "../fixtures/recording-server.fixture.ts";

/**
 * Credentials go to the address that the operator named, and nowhere else: every command meets a card that points
 * elsewhere in one way after the other, and what is listening there is told no secret.
 */

const secrets = { TOKEN: "s3cret-t0ken", KEY: "k3y-of-mine", MINE: "f1eld-of-mine" };
const { ca, server, client } = makeCertificates();
const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "assay-credentials-"));
const { lookup } = dns;

let [elsewhere, elsewhereTls, elsewhereGrpc, otherLoopback]: RecordingServer[] = [];
let cardOfNamed: (path: string, body: string) => object | undefined = () => undefined;
let [named, namedTls]: RecordingServer[] = [];

beforeAll(async () => {
  process.chdir(folder);
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  writeFileSync("client.pem", client.cert);
  writeFileSync("client.key", client.key);
  writeFileSync("ca.pem", ca);
  writeFileSync(
    "one.acts.yaml",
    `acts_version: "1.0"
spec_version: "1.0"
suites:
  - id: mine
    name: Mine
    tests:
      - id: T-1
        name: "Reads a task"
        level: must
        steps:
          - { id: get, operation: get_task, params: { id: nobody-made-this } }
`,
  );
  const answer = (path: string, body: string) => cardOfNamed(path, body);
  elsewhere = await startRecordingServer((path) =>
    path.includes("agent-card") ? cardTo(`${there()}/rpc`) : undefined,
  );
  elsewhereTls = await startRecordingServer(undefined, { tls: server });
  elsewhereGrpc = await startRecordingServer(undefined, { isGrpc: true });
  otherLoopback = await startRecordingServer(undefined, { host: "127.0.0.2" });
  named = await startRecordingServer(answer);
  namedTls = await startRecordingServer(answer, { tls: server });
  // A resolver that leads a name of the card to the very machine that the operator named.
  dns.lookup = ((name: string, options: object, callback: (...args: unknown[]) => void) =>
    name.endsWith(".test")
      ? callback(null, [{ address: "127.0.0.1", family: 4 }])
      : lookup(name, options, callback as never)) as typeof lookup;
  syncBuiltinESMExports();
});

afterAll(async () => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
  vi.unstubAllEnvs();
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
  for (const ear of [elsewhere, elsewhereTls, elsewhereGrpc, otherLoopback, named, namedTls]) await ear?.close();
});

const here = (): string => `http://127.0.0.1:${named!.port}`;
const there = (): string => `http://127.0.0.1:${elsewhere!.port}`;

const card = (more: object): object => ({
  name: "Pointer",
  description: "d",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
  ...more,
});
const cardTo = (url: string, protocolBinding = "JSONRPC"): object =>
  card({ supportedInterfaces: [{ url, protocolBinding, protocolVersion: "1.0" }] });

const base64 = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");
const signedBy = (jku: string): object => ({
  ...cardTo(`${here()}/rpc`),
  signatures: [{ protected: base64({ alg: "ES256", kid: "k", typ: "JOSE", jku }), signature: base64({}) }],
});

/** What the named server answers, and where it is, for each way to point elsewhere. */
const ways: Record<string, { readonly over?: "TLS"; readonly serves: () => object }> = {
  "another port": { serves: () => cardTo(`${there()}/rpc`) },
  "another port, over HTTP+JSON": { serves: () => cardTo(`${there()}/v1`, "HTTP+JSON") },
  "gRPC on another port": { serves: () => cardTo(`127.0.0.1:${elsewhereGrpc!.port}`, "GRPC") },
  "another address of this machine": { serves: () => cardTo(`http://127.0.0.2:${otherLoopback!.port}/rpc`) },
  "a name that resolves to the same machine": { serves: () => cardTo(`http://agent.test:${elsewhere!.port}/rpc`) },
  "a login of its own in the address": {
    serves: () => cardTo(`http://127.0.0.1:${named!.port}@127.0.0.1:${elsewhere!.port}/rpc`),
  },
  "https beside http": { serves: () => cardTo(`https://127.0.0.1:${elsewhereTls!.port}/rpc`) },
  "http beside https": { over: "TLS", serves: () => cardTo(`${there()}/rpc`) },
  "an undated card": { serves: () => card({ url: `${there()}/rpc` }) },
  "a card of 0.3 with another interface": {
    serves: () => card({ protocolVersion: "0.3.0", url: `${there()}/rpc`, preferredTransport: "JSONRPC" }),
  },
  "a card that is a redirect": { serves: () => ({ location: `${there()}/agent-card.json` }) },
  "an interface that redirects": { serves: () => cardTo(`${here()}/moved`) },
  "keys of a signature": { serves: () => signedBy(`${there()}/jwks.json`) },
  "an extended card": {
    serves: () => ({ ...cardTo(`${here()}/rpc`), capabilities: { extendedAgentCard: true } }),
  },
};

const login = ["--bearer", "env:TOKEN", "--api-key", "X-Key=env:KEY", "--header", "X-Mine: env:MINE"];
const reach = ["--allow-host", "127.0.0.2", "--allow-host", "agent.test", "--timeout", "2"];
const certificates = ["--ca", "ca.pem", "--cert", "client.pem", "--key", "client.key"];

const commands: Record<string, (url: string) => string[]> = {
  card: (url) => ["card", url],
  send: (url) => ["send", url, "hi"],
  "send --stream": (url) => ["send", url, "hi", "--stream"],
  get: (url) => ["get", url, "t1"],
  list: (url) => ["list", url],
  cancel: (url) => ["cancel", url, "t1"],
  subscribe: (url) => ["subscribe", url, "t1"],
  "push create": (url) => ["push", "create", url, "t1", "--to", "http://127.0.0.1:9/hook"],
  "push get": (url) => ["push", "get", url, "t1", "p1"],
  "push list": (url) => ["push", "list", url, "t1"],
  "push delete": (url) => ["push", "delete", url, "t1", "p1"],
  "test --dry-run": (url) => ["test", url, "--no-config", "--dry-run", "--depth", "quick", "--only", "GET-*"],
  init: (url) => ["init", url, "--force"],
  test: (url) => ["test", url, "--no-config", "--no-record", "--depth", "quick", "--budget", "2", "--max-time", "20"],
  acts: (url) => ["acts", "one.acts.yaml", "--url", url],
  // The other agent is the one that listens, and has no part in the login.
  interop: (url) => ["interop", url, there(), "--no-config", "--no-test", "--task-timeout", "2"],
  "test --peer": (url) => ["test", url, "--no-config", "--no-record", "--peer", there(), "--only", "GET-*"],
};

const told = (heard: string): string[] => {
  const texts = [heard, ...heard.split(/[^\w+/=-]+/).map((word) => Buffer.from(word, "base64").toString("latin1"))];
  const all = texts.join("\n");
  return [...Object.values(secrets), '"CN":"client"'].filter((secret) => all.includes(secret));
};

/** `npm test` meets every way with a few commands and every command with a few ways, `npm run prove` each with each. */
const commandsFrom = (turn: number) =>
  Object.entries(commands).filter((_, place) => provesAll || (place + turn) % 5 === 0);
const commandsFor = (way: string) => commandsFrom(Object.keys(ways).indexOf(way));

describe.each(Object.entries(ways))("a card that points to another address: %s", (way, { over, serves }) => {
  test.each(commandsFor(way))("assay %s sends credentials only to the named address", async (_command, command) => {
    cardOfNamed = (path, body) => {
      if (path.startsWith("/moved")) return { location: `${there()}/rpc` };
      if (body.includes("ExtendedAgentCard"))
        return { jsonrpc: "2.0", id: JSON.parse(body).id, result: cardTo(`${there()}/rpc`) };
      return path.includes("agent-card.json") ? serves() : undefined;
    };
    const url = over ? `https://127.0.0.1:${namedTls!.port}` : here();
    await run(
      [...command(url), ...login, ...reach, ...(over || /https/.test(way) ? certificates : [])],
      paperScreen({ isTerminal: false }),
    );
    const others = [elsewhere, elsewhereTls, elsewhereGrpc, otherLoopback].map((ear) => ear!.heard()).join("");
    expect(told(others)).toEqual([]);
    // The address that was named is shown them, or there would be nothing to keep.
    expect(told(over ? namedTls!.heard() : named!.heard())).toContain(secrets.TOKEN);
  });
});

describe("a recording whose requests were moved to another server", () => {
  /** Records a test of the named server under a login, and moves all its requests to another one. */
  async function misled(): Promise<string> {
    cardOfNamed = (path) => (path.includes("agent-card") ? cardTo(`${here()}/rpc`) : undefined);
    await run(
      ["test", here(), "--no-config", "--depth", "free", "--only", "GET-*", ...login],
      paperScreen({ isTerminal: false }),
    );
    const runs = new RunFolder();
    const file = runs.eventsOf(runs.list().at(-1)!);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("«secret:bearer»");
    writeFileSync(file, text.replaceAll(`${here()}/rpc`, `${there()}/rpc`));
    for (const ear of [named, elsewhere]) ear!.heard();
    return file;
  }

  test("a replay sends that server no credentials", async () => {
    await misled();
    const screen = paperScreen({ isTerminal: false });
    await run(["replay", "last", "--no-config", ...login], screen);
    expect(told(elsewhere!.heard())).toEqual([]);
    expect(told(named!.heard())).toContain(secrets.TOKEN);
    expect(screen.out()).toContain(
      `127.0.0.1:${elsewhere!.port} may not receive your credentials (--trust-host allows it)`,
    );
    expect(told(screen.out() + screen.err())).toEqual([]);
  });

  test("replaying a file from others sends credentials only to the agent that --url names", async () => {
    const file = await misled();
    renameSync(file, "foreign.ndjson");
    writeFileSync("foreign.ndjson", readFileSync("foreign.ndjson", "utf8").replaceAll(here(), there()));
    expect(await run(["replay", "foreign.ndjson", "--no-config", ...login], paperScreen({ isTerminal: false }))).toBe(
      2,
    );
    expect(elsewhere!.heard()).toBe("");
    await run(
      ["replay", "foreign.ndjson", "--no-config", "--url", here(), ...login],
      paperScreen({ isTerminal: false }),
    );
    expect(told(elsewhere!.heard())).toEqual([]);
  });
});

test("what is trusted by name is shown them", async () => {
  cardOfNamed = (path) =>
    path.includes("agent-card") ? cardTo(`127.0.0.1:${elsewhereGrpc!.port}`, "GRPC") : undefined;
  elsewhereGrpc!.heard();
  const screen = paperScreen({ isTerminal: false });
  await run([...commands["send"]!(here()), ...login, "--trust-host", `127.0.0.1:${elsewhereGrpc!.port}`], screen);
  expect(told(elsewhereGrpc!.heard()).sort()).toEqual(Object.values(secrets).sort());
  expect(screen.err()).toContain(`Credentials may go to 127.0.0.1:${elsewhereGrpc!.port}, too (--trust-host).`);
});

test("an interface that may not see them is not examined under a login, and the head of the run says so", async () => {
  cardOfNamed = (path) =>
    path.includes("agent-card") ? cardTo(`127.0.0.1:${elsewhereGrpc!.port}`, "GRPC") : undefined;
  const screen = paperScreen({ isTerminal: false });
  const code = await run([...commands["test"]!(here()), "--bearer", "env:TOKEN"], screen);
  const reason = `127.0.0.1:${elsewhereGrpc!.port} is not the address you named, so Assay does not send your credentials there. To allow it: --trust-host 127.0.0.1:${elsewhereGrpc!.port}`;
  expect(screen.out().split("\n")[1]).toBe(`SKIP GRPC http://127.0.0.1:${elsewhereGrpc!.port}/ not tested: ${reason}`);
  expect(code).toBe(2);
});

test("a login in the address goes along as --basic would, and is shown nowhere", async () => {
  cardOfNamed = (path) => (path.includes("agent-card") ? cardTo(`${here()}/rpc`) : undefined);
  named!.heard();
  const url = `http://me:p4ss-of-mine@127.0.0.1:${named!.port}`;
  for (const [, command] of commandsFrom(0)) {
    const screen = paperScreen({ isTerminal: false });
    await run(command(url), screen);
    expect(named!.heard()).toContain(`Basic ${Buffer.from("me:p4ss-of-mine").toString("base64")}`);
    expect(screen.err()).toContain("Assay uses the login in the address like --basic");
    expect(screen.out() + screen.err()).not.toContain("p4ss-of-mine");
  }
});

test("an OAuth client shows its secret to the token URL, and its token to the agent", async () => {
  vi.stubEnv("ASSAY_OAUTH_SECRET", "cl1ent-secret");
  cardOfNamed = (path) => (path.includes("agent-card") ? cardTo(`${here()}/rpc`) : undefined);
  const tokens = await startRecordingServer((path) =>
    path === "/token" ? { access_token: "gr4nted-token" } : undefined,
  );
  try {
    const oauth = ["--oauth-client", "lab", "--token-url", `http://127.0.0.1:${tokens.port}/token`];
    for (const [, command] of commandsFrom(1)) {
      named!.heard();
      await run([...command(here()), ...oauth], paperScreen({ isTerminal: false }));
      expect(tokens.heard()).toContain(Buffer.from("lab:cl1ent-secret").toString("base64"));
      const heard = named!.heard();
      expect(heard).toContain("Bearer gr4nted-token");
      expect(heard).not.toContain("cl1ent-secret");
    }
  } finally {
    await tokens.close();
  }
});
