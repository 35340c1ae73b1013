import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { agentThat, before, closing, textOf } from "./passing.fixture.ts";

/** Everything that comes back for some bytes, until the other side is done. */
async function answerTo(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  closing.push(() => socket.destroy());
  socket.write(bytes);
  const told = await new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (/\r\n\r\n/.test(text)) resolve(text);
    });
    socket.on("close", () => resolve(text)).on("error", () => resolve(text));
  });
  socket.destroy();
  return told;
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test.each(["content-length", "Content-Length, host", "transfer-encoding, content-length"])(
  "Connection: %s cannot smuggle a second request to the agent",
  async (option) => {
    const seen: string[] = [];
    const agent = await agentThat(async (incoming, response) => {
      seen.push(`${incoming.method} ${incoming.url} ${incoming.headers.host} ${await textOf(incoming)}`);
      response.end("ok");
    });
    const { url } = await before(agent);
    const { host } = new URL(url);
    const inner = "GET /admin HTTP/1.1\r\nHost: inner\r\n\r\n";
    const answer = await answerTo(
      url,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: ${option}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    );
    expect(statusOf(answer)).toBe(200);
    // A second request on the same connection shows whatever the first one left behind.
    expect(seen).toEqual([`GET / ${new URL(agent).host} ${inner}`]);
  },
);

test.each([
  ["OPTIONS *", "OPTIONS *", "", "OPTIONS *"],
  ["an absolute address of its own", "GET", "/a?b", "GET /a?b"],
])("the proxy forwards %s and records its full address", async (_what, method, path, seenAs) => {
  const seen: string[] = [];
  const agent = await agentThat((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    response.end("ok");
  });
  const { url, exchanges, until } = await before(agent);
  const target = path ? `${method} ${url}${path}` : method;
  const answer = await answerTo(url, `${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  expect(statusOf(answer)).toBe(200);
  expect(seen).toEqual([seenAs]);
  await until(() => exchanges.length === 1);
  expect(new URL(exchanges[0]!.http.request.url).host).toBe(new URL(agent).host);
});

test.each([
  ["http://evil.example/", 421],
  ["http://169.254.169.254/latest", 421],
])("the proxy rejects an absolute address of another host: %s", async (target, status) => {
  const agent = await agentThat((_incoming, response) => response.end("ok"));
  const { url, exchanges, codes } = await before(agent);
  const answer = await answerTo(url, `GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  expect(statusOf(answer)).toBe(status);
  expect([exchanges, codes()]).toEqual([[], ["foreign-host"]]);
});

test.each([
  ["a page of another site", { Origin: "https://evil.example" }],
  ["a sandboxed frame", { Origin: "null" }],
  ["an origin that is no address", { Origin: "evil" }],
  ["an image or a form without Origin", { "Sec-Fetch-Site": "cross-site" }],
  ["another name of the same site without Origin", { "Sec-Fetch-Site": "same-site" }],
])("a web page of another site cannot reach the agent: %s", async (_who, fields) => {
  let asked = 0;
  const agent = await agentThat((_incoming, response) => {
    asked += 1;
    response.end("ok");
  });
  const { url, codes } = await before(agent);
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "text/plain", ...fields },
    body: "{}",
  });
  expect([response.status, asked, codes()]).toEqual([403, 0, ["foreign-page"]]);
  expect(await response.text()).toContain("--allow-host");
});

test.each([
  ["no page", {}],
  ["a page of this machine", { Origin: "http://localhost:3000", "Sec-Fetch-Site": "same-site" }],
  ["a page of the agent itself", { "Sec-Fetch-Site": "same-origin" }],
  ["a person who types the address", { "Sec-Fetch-Site": "none" }],
  ["a page of a host that the operator allowed", { Origin: "https://client.example", "Sec-Fetch-Site": "cross-site" }],
])("those who may reach the agent: %s", async (_who, fields) => {
  const agent = await agentThat((_incoming, response) => response.end("ok"));
  const { url } = await before(agent, { allowHosts: ["client.example"] });
  const response = await fetch(url, { method: "POST", headers: fields as Record<string, string>, body: "{}" });
  expect(response.status).toBe(200);
});

test("the proxy streams an endless card without buffering all of it", async () => {
  const chunk = randomBytes(1024 * 1024);
  const pieces = 40;
  let written = 0;
  const agent = await agentThat((_incoming, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    const more = (): void => {
      do written += 1;
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  const { url, codes, until } = await before(agent);
  const abort = new AbortController();
  const response = await fetch(`${url}/.well-known/agent-card.json`, { signal: abort.signal });
  let read = 0;
  // Without an end there is nothing to read unless it is passed on before.
  for await (const piece of response.body!) {
    read += piece.length;
    if (read > pieces * chunk.length) break;
  }
  abort.abort();
  expect(codes()).toContain("card-unreadable");
  expect(written).toBeGreaterThanOrEqual(pieces);
  await until(() => codes().includes("client-hung-up"));
});
