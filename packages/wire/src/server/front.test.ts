import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, connect } from "node:tls";
import { afterAll, expect, test } from "vitest";
import type { Handler } from "./handler.ts";
import { dial, get, serve } from "./raw-client.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-tls-"));
afterAll(() => rmSync(folder, { recursive: true }));
const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
execFileSync(
  "openssl",
  ["req", "-x509", ...curve, "-nodes", "-days", "2", ...subject, "-keyout", keyFile, "-out", certFile],
  { stdio: "ignore" },
);
const key = readFileSync(keyFile);
const cert = readFileSync(certFile);

const echo: Handler = async (incoming, reply) =>
  reply.send(200, {}, JSON.stringify({ secure: incoming.secure, body: `${await incoming.body()}` }));

/** Posts "hi" over TLS; the body of the answer, or the error's code. */
const ask = (port: number, options: ConnectionOptions): Promise<string> =>
  new Promise((resolve) => {
    const outgoing = request({ port, host: "127.0.0.1", method: "POST", agent: false, ...options }, (answer) =>
      answer.setEncoding("utf8").on("data", resolve),
    );
    outgoing.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)).end("hi");
  });

test("HTTP/1.1 over TLS", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  expect(server.url).toMatch(/^https:/);
  expect(await ask(server.port, { ca: cert })).toBe('{"secure":true,"body":"hi"}');
});

test("HTTP/2 over TLS, to clients that offer it", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  const session = connectHttp2(server.url, { ca: cert });
  const stream = session.request({ ":method": "POST" });
  stream.setEncoding("utf8").end("hi");
  expect(await once(stream, "data")).toEqual(['{"secure":true,"body":"hi"}']);
  session.destroy();
  const offered = async (ALPNProtocols: string[]) => {
    const socket = connect({ port: server.port, host: "127.0.0.1", ca: cert, ALPNProtocols });
    await once(socket, "secureConnect");
    socket.destroy();
    return socket.alpnProtocol;
  };
  expect(await offered(["http/1.1", "h2"])).toBe("h2");
  expect(await offered(["http/1.1"])).toBe("http/1.1");
});

test("one connection of HTTP/2 too many is told so in HTTP/2", async () => {
  const server = await serve(echo, { tls: { cert, key }, limits: { connections: 1 } });
  const first = connectHttp2(server.url, { ca: cert });
  await once(first, "remoteSettings");
  const second = connectHttp2(server.url, { ca: cert });
  second.on("error", () => {});
  // ENHANCE_YOUR_CALM
  expect((await once(second, "goaway"))[0]).toBe(11);
  first.destroy();
});

test("TLS 1.1 is not spoken", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  const old = { ca: cert, minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  expect(await ask(server.port, old)).toMatch(/PROTOCOL_VERSION|EPROTO|ECONNRESET/);
});

test("a client certificate can be asked for", async () => {
  const server = await serve(echo, { tls: { cert, key, ca: cert, requestCert: true } });
  expect(await ask(server.port, { ca: cert })).not.toContain("hi");
  expect(await ask(server.port, { ca: cert, key, cert })).toContain("hi");
});

test("plain HTTP on the TLS port is rejected, and other connections go on", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  await dial(server, get("/")).ended;
  expect(await ask(server.port, { ca: cert })).toContain("hi");
});

const open = (port: number) => connect({ port, host: "127.0.0.1", ca: cert }).setEncoding("utf8").resume();

test("a client that opens TLS and sends nothing is answered 408", async () => {
  const server = await serve(echo, { tls: { cert, key }, limits: { headersTimeoutMs: 2_000 } });
  expect(await new Promise((resolve) => open(server.port).once("data", resolve))).toMatch(/^HTTP\/1\.1 408 /);
});

test("closing does not wait for a client whose handshake is just over", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  const client = open(server.port);
  await once(client, "secureConnect");
  // Waiting for the client would take the whole grace, and the test is over before that.
  await Promise.all([server.close(600_000), once(client, "close")]);
});

test("a client that never finishes its handshake does not outlive the grace", async () => {
  const server = await serve(echo, { tls: { cert, key } });
  const client = dial(server);
  await once(client.socket, "connect");
  await server.close(50);
  expect(await client.ended).toBe("");
});
