import { createServer, request as httpRequest } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { type Certificates, makeCertificates } from "./certificates.fixture.ts";
import { shakeHands } from "./handshake.ts";
import { httpPeer, listen, testClient, text } from "./peers.fixture.ts";
import { createTlsTrust } from "./tls.ts";
import { wayTo } from "./way-to.ts";

let certificates: Certificates;
beforeAll(() => {
  certificates = makeCertificates();
});

/** A small forward proxy that knows one host, agent.test, and sends everything for it to `port`. */
async function startProxy(port: number, authorization?: string) {
  const seen: string[] = [];
  const allowed = (given: string | undefined): boolean => !authorization || given === authorization;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (!allowed(request.headers["proxy-authorization"])) return response.writeHead(407).end();
    const { pathname } = new URL(request.url ?? "");
    const onward = httpRequest({ port, path: pathname, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    return request.pipe(onward);
  });
  server.on("connect", (request, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    if (!allowed(request.headers["proxy-authorization"])) {
      return socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    }
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    socket.on("error", () => onward.destroy());
    return onward.on("error", () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, seen };
}

const httpsAgent = (options: object = {}): Promise<number> =>
  listen(createHttpsServer({ ...certificates.server, ...options }, (request, response) => response.end(request.url)));

/** Nothing resolves: behind a proxy, names are the proxy's business. */
const lookup = () => Promise.reject(new Error("no DNS here"));
const guard = createEgressGuard({ lookup, trustedHosts: ["agent.test"] });

describe("proxies", () => {
  test("plain http goes to the proxy with the whole URL and the host's own name", async () => {
    const agent = await httpPeer((request, response) => response.end(`${request.headers.host} ${request.url}`));
    const proxy = await startProxy(Number(new URL(agent).port));
    const client = testClient({ guard, proxies: { httpProxy: proxy.url } });
    const { http, transport } = await client.request({ method: "GET", url: "http://agent.test/card?x=1" });

    expect(proxy.seen).toEqual(["GET http://agent.test/card?x=1"]);
    expect(text(http.response?.body)).toBe("agent.test /card");
    expect(http.request.url).toBe("http://agent.test/card?x=1");
    expect(text(transport.sent)).toMatch(/^GET http:\/\/agent\.test\/card\?x=1 HTTP\/1\.1\r\nhost: agent\.test\r\n/);
    expect(transport.proxy).toBe(proxy.url);
  });

  test("https goes through a tunnel, one for several requests, and is recorded as the host sees it", async () => {
    const proxy = await startProxy(await httpsAgent());
    const tls = { ca: certificates.ca };
    const client = testClient({ guard, tls, proxies: { httpsProxy: proxy.url } });
    const first = await client.request({ method: "GET", url: "https://agent.test/1" });
    const second = await client.request({ method: "GET", url: "https://agent.test/2" });

    expect(first.failure).toBeUndefined();
    expect(text(second.http.response?.body)).toBe("/2");
    expect(text(first.transport.sent)).toMatch(/^GET \/1 HTTP\/1\.1\r\nhost: agent\.test\r\n/);
    expect(proxy.seen).toEqual(["CONNECT agent.test:443"]);
  });

  test("the proxy's user and password are used on both ways, and missing ones are told", async () => {
    const basic = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    const agent = await httpPeer((_request, response) => response.end("plain"));
    const plain = await startProxy(Number(new URL(agent).port), basic);
    const tunnel = await startProxy(await httpsAgent(), basic);
    const login = (url: string): string => url.replace("http://", "http://me:p%40ss@");
    const tls = { ca: certificates.ca };

    const known = testClient({ guard, tls, proxies: { httpProxy: login(plain.url), httpsProxy: login(tunnel.url) } });
    expect((await known.request({ method: "GET", url: "http://agent.test/" })).http.response?.status).toBe(200);
    expect((await known.request({ method: "GET", url: "https://agent.test/" })).http.response?.status).toBe(200);

    const stranger = testClient({ guard, tls, proxies: { httpsProxy: tunnel.url } });
    const { failure } = await stranger.request({ method: "GET", url: "https://agent.test/" });
    expect(failure).toMatchObject({ code: "proxy", hint: "Add the proxy's user and password to its URL." });
  });

  test("the guard looks at a host before the proxy is asked for it", async () => {
    const proxy = await startProxy(1);
    const inside = createEgressGuard({ lookup: () => Promise.resolve([{ address: "10.0.0.7", family: 4 }]) });
    const client = testClient({ guard: inside, proxies: { httpProxy: proxy.url } });
    const named = await client.request({ method: "GET", url: "http://inside.test/" });
    const literal = await client.request({ method: "GET", url: "http://169.254.169.254/latest" });
    expect([named.failure?.code, literal.failure?.code]).toEqual(["refused-by-guard", "refused-by-guard"]);
    expect(proxy.seen).toEqual([]);
  });

  test.each([
    ["a name from a card", {}, false],
    ["a name that the user typed", { trustedHosts: ["unknown.test"] }, true],
    ["a name in --allow-host", { allowHosts: ["unknown.test"] }, true],
  ])(
    "a name that only the proxy can resolve is refused unless the user allowed it: %s",
    async (_who, options, isAsked) => {
      const agent = await httpPeer((_request, response) => response.end("ok"));
      const proxy = await startProxy(Number(new URL(agent).port));
      const proxies = { httpProxy: proxy.url, httpsProxy: proxy.url };
      const strict = createEgressGuard({ lookup, ...options });
      const client = testClient({ guard: strict, proxies });
      const { failure } = await client.request({ method: "GET", url: "http://unknown.test/" });
      expect(failure?.code).toBe(isAsked ? undefined : "refused-by-guard");
      const handshake = await shakeHands("https://unknown.test/", "TLSv1.2", { guard: strict, proxies });
      if (!isAsked) expect(handshake).toEqual({ unknown: expect.stringContaining("does not resolve on this machine") });
      const trust = createTlsTrust({});
      const way = wayTo(new URL("http://unknown.test/"), {
        guard: strict,
        trust,
        trustFor: () => trust,
        proxies,
        timeoutMs: 10_000,
      });
      if (isAsked) (await way).destroy();
      else await expect(way).rejects.toThrow("--allow-host unknown.test");
      expect(proxy.seen.length > 0).toBe(isAsked);
    },
  );

  test("an unreachable proxy is reported as any unreachable host", async () => {
    const client = testClient({ guard, proxies: { httpProxy: "http://127.0.0.1:1" } });
    expect((await client.request({ method: "GET", url: "http://agent.test/" })).failure?.code).toBe("connect-refused");
  });
});

describe("certificates", () => {
  test("an unknown authority is a failure that names the ways out", async () => {
    const url = `https://127.0.0.1:${await httpsAgent()}/`;
    const { failure } = await testClient().request({ method: "GET", url });
    expect(failure).toMatchObject({ code: "tls", hint: expect.stringMatching(/--ca.*--insecure/) });
    expect(
      (await testClient({ tls: { ca: certificates.ca } }).request({ method: "GET", url })).failure,
    ).toBeUndefined();
    expect((await testClient({ tls: { insecure: true } }).request({ method: "GET", url })).failure).toBeUndefined();
  });

  test("a certificate for another name is told as such", async () => {
    const port = await httpsAgent();
    const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const named = createEgressGuard({ allowLoopback: true, lookup });
    const client = testClient({ guard: named, tls: { ca: certificates.ca } });
    expect((await client.request({ method: "GET", url: `https://agent.test:${port}/` })).failure).toBeUndefined();
    expect((await client.request({ method: "GET", url: `https://other.test:${port}/` })).failure).toMatchObject({
      code: "tls",
      hint: "The certificate is for another host name.",
    });
  });

  test("a client certificate is presented", async () => {
    const port = await httpsAgent({ ca: certificates.ca, requestCert: true, rejectUnauthorized: true });
    const tls = { ca: certificates.ca, ...certificates.client };
    const url = `https://127.0.0.1:${port}/mine`;
    const { http } = await testClient({ tls }).request({ method: "GET", url });
    expect(text(http.response?.body)).toBe("/mine");
    const without = await testClient({ tls: { ca: certificates.ca } }).request({ method: "GET", url });
    expect(without.failure).toBeDefined();
  });

  test("https spoken to a plain server is a TLS failure", async () => {
    const url = (await httpPeer((_request, response) => response.end())).replace("http:", "https:");
    expect((await testClient().request({ method: "GET", url })).failure?.code).toBe("tls");
  });
});
