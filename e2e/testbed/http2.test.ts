import { execFile, spawnSync } from "node:child_process";
import { connect } from "node:http2";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";
import { testIf } from "../fixtures/test-if.fixture.ts";
import { sending, useTestbed, written } from "../fixtures/testbed.fixture.ts";

// One port serves HTTP/1.1 and HTTP/2. All tests of the bindings also run over HTTP/2 (vitest.config.ts).

const { ca, server, named } = makeCertificates("alice");
const plainBed = useTestbed();
const tlsBed = useTestbed({ tls: { ...server, ca, requestCert: true, rejectUnauthorized: false } });

const curlHasHttp2 = spawnSync("curl", ["--version"], { encoding: "utf8" }).stdout?.includes("HTTP2") ?? false;
if (!curlHasHttp2 && toolsArePromised) throw new Error("There is no curl with HTTP/2; install curl.");
if (!curlHasHttp2) process.stderr.write("There is no curl with HTTP/2: the server is not tried with it.\n");

const run = promisify(execFile);

/** Returns the HTTP version that curl used, the status and the body. */
async function curl(...args: string[]): Promise<[version: string, status: number, body: string]> {
  const { stdout } = await run("curl", ["-s", "-S", "-m", "100", "-w", "\n%{http_version} %{http_code}", ...args], {
    maxBuffer: 50_000_000,
  });
  const end = stdout.lastIndexOf("\n");
  const [version, status] = stdout.slice(end + 1).split(" ");
  return [version!, Number(status), stdout.slice(0, end)];
}

const ways = [
  { name: "TLS and ALPN", version: "2", flags: ["-k", "--http2"], url: () => tlsBed.url },
  { name: "prior knowledge", version: "2", flags: ["--http2-prior-knowledge"], url: () => plainBed.url },
  { name: "TLS and HTTP/1.1", version: "1.1", flags: ["-k", "--http1.1"], url: () => tlsBed.url },
  // The default of curl. The server declines the upgrade.
  { name: "an upgrade to h2c", version: "1.1", flags: ["--http2"], url: () => plainBed.url },
];

describe.each(ways)("curl over $name", ({ version, flags, url }) => {
  const asks = testIf(curlHasHttp2);

  asks("reads what people and operators read", async () => {
    const paths = [
      "/health",
      "/ready",
      "/metrics",
      "/spec",
      "/.well-known/agent-card.json",
      "/spec03/.well-known/agent-card.json",
      "/oidc/.well-known/openid-configuration",
      "/mutants",
    ];
    const answers = await Promise.all(paths.map((path) => curl(...flags, `${url()}${path}`)));
    expect(answers.map(([spoken, status]) => [spoken, status])).toEqual(paths.map(() => [version, 200]));
    const [, , page] = await curl(...flags, "-H", "Accept: text/html", url());
    expect(page).toContain("<html");
    expect((await curl(...flags, "-I", `${url()}/health`)).slice(0, 2)).toEqual([version, 200]);
    expect((await curl(...flags, "-X", "OPTIONS", `${url()}/spec`)).slice(0, 2)).toEqual([version, 204]);
  });

  asks("sends messages over both bindings, and streams", async () => {
    for (const binding of ["JSONRPC", "HTTP+JSON"] as const) {
      const post = (operation: "SendMessage" | "SendStreamingMessage", text: string) => {
        const asked = written(`${url()}/spec`, binding, operation, sending(text));
        const headers = Object.entries(asked.plain.headers ?? {}).flatMap(([name, value]) => [
          "-H",
          `${name}: ${value}`,
        ]);
        return curl(...flags, ...headers, "-d", String(asked.plain.body), asked.url);
      };
      const [spoken, status, body] = await post("SendMessage", "message-only x");
      expect([spoken, status]).toEqual([version, 200]);
      expect(body).toContain("You said: message-only x");
      const [, , stream] = await post("SendStreamingMessage", "streaming x");
      expect(stream.match(/^data: /gm)?.length).toBeGreaterThan(3);
      expect(stream).toContain("TASK_STATE_COMPLETED");
    }
  });

  asks("is told of bodies and headers that are too large", async () => {
    const large = "x".repeat(12_000_000);
    const sent = run("curl", [
      ...flags,
      "-s",
      "-S",
      "-m",
      "100",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "--data-binary",
      "@-",
      `${url()}/spec`,
    ]);
    sent.child.stdin!.on("error", () => {}).end(large);
    expect((await sent).stdout).toBe("413");
    expect((await curl(...flags, "-H", `X-Large: ${"x".repeat(20_000)}`, `${url()}/health`))[1]).toBe(431);
  });

  asks("gets a token for /secure", async () => {
    const [, status, body] = await curl(
      ...[...flags, "-u", "alice:alice-secret", "-d", "grant_type=client_credentials", `${url()}/oidc/token`],
    );
    expect([status, JSON.parse(body)]).toMatchObject([200, { token_type: "Bearer" }]);
    const { access_token } = JSON.parse(body) as { access_token: string };
    const login = ["-H", `Authorization: Bearer ${access_token}`, "-H", "A2A-Version: 1.0"];
    expect((await curl(...flags, ...login, `${url()}/secure/tasks`))[1]).toBe(200);
    expect((await curl(...flags, "-H", "A2A-Version: 1.0", `${url()}/secure/tasks`))[1]).toBe(401);
  });
});

test("client certificates work over HTTP/2, too", async () => {
  const session = connect(tlsBed.url, { ca, ...named["alice"] });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ":path": "/secure/tasks", "a2a-version": "1.0" });
  const status = new Promise((resolve) => stream.once("response", (headers) => resolve(headers[":status"])));
  stream.resume();
  expect(await status).toBe(200);
});

test("gRPC calls and HTTP requests can share a connection", async () => {
  const session = connect(plainBed.url);
  onTestFinished(() => session.destroy());
  const ask = (headers: Record<string, string>) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const stream = session.request(headers);
      stream.on("error", reject).once("response", resolve).resume();
      stream.end(headers["content-type"] ? Buffer.alloc(5) : undefined);
    });
  const grpc = { ":method": "POST", "content-type": "application/grpc", te: "trailers", "a2a-version": "1.0" };
  const answers = await Promise.all([
    ask({ ":path": "/health" }),
    ask({ ...grpc, ":path": "/lf.a2a.v1.A2AService/ListTasks" }),
    ask({ ":path": "/spec/tasks", "a2a-version": "1.0" }),
  ]);
  expect(answers.map((headers) => headers["content-type"])).toEqual([
    "application/json",
    "application/grpc+proto",
    "application/a2a+json",
  ]);
});
