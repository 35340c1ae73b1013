import { request } from "node:http";
import { expect, test } from "vitest";
import { useUi } from "./ui.fixture.ts";

const ui = useUi();

/** By hand: `fetch` would not let a test lie about where it comes from. */
const plain = (path: string, headers: Record<string, string>, method = "GET", body = "") =>
  new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(
      `${ui.server.url}${path}`,
      { method, headers: { "content-length": body.length, ...headers } },
      (answer) => {
        let text = "";
        answer.on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () => resolve({ status: answer.statusCode!, text, headers: answer.headers }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });

const bearer = (): Record<string, string> => ({ authorization: `Bearer ${ui.server.token}` });

/** As a browser does it that opened the printed address. */
async function cookie(): Promise<string> {
  const body = JSON.stringify({ token: ui.server.token });
  const { headers, status } = await plain("/api/session", { origin: ui.server.url }, "POST", body);
  expect(status).toBe(200);
  const [set] = headers["set-cookie"] as string[];
  expect(set).toMatch(/; HttpOnly; SameSite=Strict; Path=\/api$/);
  return set!.split(";", 1)[0]!;
}

test.each([
  ["no token", {}, 401],
  ["a wrong token", { authorization: "Bearer nope" }, 401],
  ["a wrong cookie", { cookie: "assay-ui=nope" }, 401],
])("the API rejects a request with %s", async (_, headers, status) => {
  expect((await plain("/api/runs", headers as Record<string, string>)).status).toBe(status);
});

test("requests with another Host are rejected (DNS rebinding)", async () => {
  for (const host of ["evil.example", `evil.example:${ui.server.port}`, "127.0.0.1.evil.example"])
    expect((await plain("/api/runs", { ...bearer(), host })).status).toBe(421);
  expect((await plain("/", { host: "evil.example" })).status).toBe(421);
  expect((await plain("/api/runs", { ...bearer(), host: `localhost:${ui.server.port}` })).status).toBe(200);
});

test("requests from another page are rejected, even with the cookie", async () => {
  const known = await cookie();
  const others = ["http://evil.example", "null", "http://127.0.0.1:1", `https://127.0.0.1:${ui.server.port}`];
  for (const origin of others) {
    expect((await plain("/api/runs", { cookie: known, origin })).status, origin).toBe(403);
    expect((await plain("/api/testbed", { cookie: known, origin }, "POST", "{}")).status, origin).toBe(403);
  }
  for (const site of ["cross-site", "same-site"])
    expect((await plain("/api/runs", { cookie: known, "sec-fetch-site": site })).status).toBe(403);
  expect((await plain("/api/runs", { cookie: known, "sec-fetch-site": "same-origin" })).status).toBe(200);
});

test("requests with the cookie but without an origin change nothing", async () => {
  const known = await cookie();
  expect((await plain("/api/testbed", { cookie: known }, "POST", "{}")).status).toBe(403);
  expect((await plain("/api/runs/x/stop", { cookie: known }, "POST", "{}")).status).toBe(403);
});

test("the cookie, which browsers send to every port, cannot replace the token, nor the token the cookie", async () => {
  const known = await cookie();
  const [name, value = ""] = known.split("=", 2);
  expect(name).toBe(`assay-ui-${ui.server.port}`);
  expect(value).not.toBe(ui.server.token);
  expect((await plain("/api/runs", { authorization: `Bearer ${value}` })).status).toBe(401);
  expect((await plain("/api/runs", { cookie: `${name}=${ui.server.token}` })).status).toBe(401);
  const login = JSON.stringify({ token: value });
  expect((await plain("/api/session", { origin: ui.server.url }, "POST", login)).status).toBe(401);
});

test("every answer carries the policy, and none lets another page read it", async () => {
  for (const [path, headers] of [
    ["/", {}],
    ["/nothing", {}],
    ["/api/runs", {}],
    ["/api/runs", bearer()],
  ] as const) {
    const answer = await plain(path, headers);
    expect(answer.headers["content-security-policy"]).toMatch(
      /default-src 'none'.*trusted-types 'none'.*frame-ancestors 'none'/,
    );
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("the server serves no file outside the folder of the page", async () => {
  for (const path of [
    "/../package.json",
    "/assets/../../server/index.js",
    "/%2e%2e/package.json",
    "/assets/%2e%2e%2findex.html",
    "/.page-made",
  ])
    expect((await plain(path, {})).status, path).toBe(404);
});

test.each([
  [{}, "url"],
  [{ url: "" }, "url"],
  [{ url: 3 }, "url"],
  [{ url: "http://127.0.0.1:1", depth: "deep" }, "depth"],
  [{ url: "http://127.0.0.1:1", faults: "perhaps" }, "faults"],
  [{ url: "http://127.0.0.1:1", budget: -1 }, "budget"],
  [{ url: "http://127.0.0.1:1", login: { kind: "magic" } }, "login.kind"],
  [{ url: "http://127.0.0.1:1", login: { kind: "bearer" } }, "token"],
  [{ url: "http://127.0.0.1:1", headers: [{ name: "X" }] }, "value"],
  [{ url: "ftp://127.0.0.1" }, "http"],
  [{ url: "http://127.0.0.1:1", only: ["NO-SUCH-RULE"] }, "NO-SUCH-RULE"],
  [{ url: "http://127.0.0.1:1", headers: [{ name: "X y", value: "1" }] }, "X y"],
])("what makes no sense is said: %j", async (body, word) => {
  const answer = await ui.ask("POST", "/api/runs", body);
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { error: string }).error).toContain(word);
});

test("env:NAME and @file, which the command line reads, are secrets like any other here", async () => {
  process.env["ASSAY_UI_PROOF"] = "a-secret-of-this-machine";
  const seen: string[] = [];
  const { createServer } = await import("node:http");
  const spy = createServer((message, reply) => {
    seen.push(String(message.headers.authorization));
    reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => spy.listen(0, "127.0.0.1", resolve));
  const { port } = spy.address() as { port: number };
  try {
    for (const token of ["env:ASSAY_UI_PROOF", "@package.json"]) {
      const login = { kind: "bearer", token };
      const { run } = (await (
        await ui.ask("POST", "/api/runs", { url: `http://127.0.0.1:${port}`, depth: "card", login })
      ).json()) as { run: string };
      await (await ui.ask("GET", `/api/runs/${run}/events`)).text();
      expect(seen).toContain(`Bearer ${token}`);
    }
    expect(seen.join(" ")).not.toContain("a-secret-of-this-machine");
  } finally {
    spy.close();
    delete process.env["ASSAY_UI_PROOF"];
  }
});
