import { type AgentCard, lintCard, validate } from "@assay/protocol";
import { verifyCard } from "@assay/protocol/signature";
import { describe, expect, test } from "vitest";
import { readExposition } from "../../packages/agents/src/operating/exposition.fixture.ts";
import { coreSkills, moreSkills } from "../../packages/agents/src/skills/index.ts";
import {
  bindings,
  overHttp2,
  type Plain,
  plain,
  refusalIn,
  refusedAs,
  sending,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed({ origins: ["https://tools.example"], allowedHosts: ["agents.example"] });
const agents = ["spec", "echo", "full", "strict", "minimal"];
const wellKnown = ".well-known/agent-card.json";
const at = (path: string) => `${bed.url}/${path}`;
const rest = "HTTP+JSON";

async function cardAt(path: string): Promise<AgentCard> {
  return JSON.parse((await plain(at(path))).text) as AgentCard;
}

describe("cards", () => {
  test.each(agents)("agent-card-%s is complete, valid and clean", async (agent) => {
    const { status, headers, text } = await plain(at(`${agent}/${wellKnown}`));
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    const card = JSON.parse(text) as AgentCard;
    expect(validate("AgentCard", card)).toEqual([]);
    expect(lintCard(card).filter(({ level }) => level !== "info")).toEqual([]);
    expect(card.supportedInterfaces.slice(0, 2)).toEqual([
      { url: at(agent), protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: at(agent), protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ]);
    expect([card.name, card.description, card.version].every((text) => text.length > 0)).toBe(true);
    expect(card.skills.length).toBeGreaterThanOrEqual(1);
    for (const { id, name, description, tags } of card.skills) {
      expect([id, name, description, tags[0]].every((text) => text !== undefined && text !== "")).toBe(true);
    }
    expect([card.defaultInputModes.length > 0, card.defaultOutputModes.length > 0]).toEqual([true, true]);
  });

  test("declare the capabilities of each agent", async () => {
    const claims = await Promise.all(
      agents.map(async (agent) => {
        const { capabilities, skills, supportedInterfaces } = await cardAt(`${agent}/${wellKnown}`);
        const { streaming, pushNotifications, extendedAgentCard, extensions = [] } = capabilities;
        return [agent, streaming, pushNotifications, extendedAgentCard, extensions.length, skills.length].concat(
          supportedInterfaces.map(({ tenant }) => tenant ?? "-").join(" "),
        );
      }),
    );
    const skills = coreSkills.length + moreSkills.length;
    expect(claims).toEqual([
      ["spec", true, false, true, 0, 8, "- - - - -"],
      ["echo", false, false, false, 0, 1, "- - echo - -"],
      ["full", true, true, true, 2, skills, "- - full north north south south"],
      ["strict", true, true, true, 3, skills, "- - strict north north south south"],
      ["minimal", false, false, false, 0, 2, "- - minimal"],
    ]);
  });

  test("the root serves the card of /spec, and GET <path> is the card too", async () => {
    const card = await cardAt(`spec/${wellKnown}`);
    for (const path of [wellKnown, "", "spec", "spec/"]) expect(await cardAt(path)).toEqual(card);
  });

  test("contain the address of the request", async () => {
    const headers = { Host: "agents.example:8080" };
    const card = JSON.parse((await plain(at(`spec/${wellKnown}`), { headers })).text) as AgentCard;
    expect(card.supportedInterfaces[0]?.url).toBe("http://agents.example:8080/spec");
  });

  test("can be cached and revalidated", async () => {
    const url = at(`spec/${wellKnown}`);
    const first = await plain(url);
    const { etag, "last-modified": lastModified, "cache-control": cacheControl } = first.headers;
    expect([etag, lastModified, cacheControl]).toEqual([
      expect.stringMatching(/^"[\w-]{22}"$/),
      expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      "public, max-age=60",
    ]);
    const second = await plain(url);
    expect([second.headers.etag, second.text]).toEqual([etag, first.text]);

    const fresh: Record<string, string>[] = [
      { "If-None-Match": etag! },
      { "If-None-Match": `W/${etag}` },
      { "If-None-Match": `"other", ${etag} , "more"` },
      { "If-None-Match": "*" },
      { "If-Modified-Since": lastModified! },
      { "If-None-Match": etag!, "If-Modified-Since": "Mon, 01 Jan 1990 00:00:00 GMT" },
    ];
    for (const headers of fresh) {
      const answer = await plain(url, { headers });
      expect([headers, answer.status, answer.text, answer.headers.etag, answer.headers["cache-control"]]).toEqual([
        headers,
        304,
        "",
        etag,
        "public, max-age=60",
      ]);
    }
    const stale: Record<string, string>[] = [
      { "If-None-Match": '"other"' },
      { "If-None-Match": etag!.replaceAll('"', "") },
      { "If-None-Match": "" },
      { "If-Modified-Since": "Mon, 01 Jan 1990 00:00:00 GMT" },
      { "If-Modified-Since": "yesterday" },
      { "If-None-Match": '"other"', "If-Modified-Since": lastModified! },
    ];
    for (const headers of stale) {
      const answer = await plain(url, { headers });
      expect([headers, answer.status, answer.text]).toEqual([headers, 200, first.text]);
    }
  });

  test("answer HEAD with the head of GET and no body", async () => {
    const got = await plain(at(`full/${wellKnown}`));
    const head = await plain(at(`full/${wellKnown}`), { method: "HEAD" });
    const { date: _1, ...headers } = head.headers;
    const { date: _2, ...expected } = got.headers;
    expect([head.status, head.text, headers]).toEqual([200, "", expected]);
    expect(got.headers["content-length"]).toBe(String(Buffer.byteLength(got.text)));
    const unchanged = await plain(at(`full/${wellKnown}`), {
      method: "HEAD",
      headers: { "If-None-Match": got.headers.etag! },
    });
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
  });

  test("of different addresses have different validators", async () => {
    const here = await plain(at(`spec/${wellKnown}`));
    const there = await plain(at(`spec/${wellKnown}`), { headers: { Host: "localhost:1" } });
    expect(here.headers.etag === there.headers.etag).toBe(false);
  });

  test.each(["full", "strict"])("of /%s is signed, and its jku leads to the key", async (agent) => {
    const card = await cardAt(`${agent}/${wellKnown}`);
    const asked: (string | undefined)[] = [];
    const verdicts = await verifyCard(card, async ({ kid, jku }) => {
      asked.push(jku);
      const { keys } = JSON.parse((await plain(jku!)).text) as { keys: { kid: string }[] };
      return keys.find((key) => key.kid === kid) as never;
    });
    expect(verdicts).toEqual([
      {
        is: "valid",
        header: expect.objectContaining({ alg: "ES256", typ: "JOSE", jku: at(".well-known/jwks.json") }),
        payload: "P1",
        reading: expect.any(String),
      },
    ]);
    expect(asked).toEqual([at(".well-known/jwks.json")]);
    const jwks = await plain(at(".well-known/jwks.json"));
    expect(JSON.parse(jwks.text)).toEqual({
      keys: [
        {
          kty: "EC",
          crv: "P-256",
          x: expect.any(String),
          y: expect.any(String),
          kid: expect.any(String),
          use: "sig",
          alg: "ES256",
        },
      ],
    });
    const tampered = await verifyCard({ ...card, name: "Somebody else" }, async () => {
      return JSON.parse(jwks.text).keys[0];
    });
    expect(tampered.map(({ is }) => is)).toEqual(["invalid"]);
  });

  test("of other agents are not signed", async () => {
    for (const agent of ["spec", "echo", "minimal"]) {
      expect(Object.hasOwn(await cardAt(`${agent}/${wellKnown}`), "signatures")).toBe(false);
    }
  });
});

describe("pages of other origins", () => {
  const post = (agent: string, origin: string): { url: string; plain: Plain } =>
    written(at(agent), "JSONRPC", "SendMessage", sending("message-only x"), { Origin: origin });

  test("cards may be read by any", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost:3000"]) {
      const { headers } = await plain(at(`spec/${wellKnown}`), { headers: { Origin: origin } });
      expect([origin, headers["access-control-allow-origin"]]).toEqual([origin, "*"]);
    }
  });

  test.each(["http://localhost:3000", "http://127.0.0.1:8080", "https://[::1]:1", "https://tools.example"])(
    "%s may talk to agents",
    async (origin) => {
      for (const binding of bindings) {
        const sent = written(at("spec"), binding, "SendMessage", sending("message-only x"), { Origin: origin });
        const { status, headers } = await plain(sent.url, sent.plain);
        expect([status, headers["access-control-allow-origin"], headers["vary"]]).toEqual([200, origin, "Origin"]);
      }
      const preflight = await plain(at("spec"), {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "a2a-version",
        },
      });
      expect([preflight.status, preflight.text, preflight.headers["access-control-allow-origin"]]).toEqual([
        204,
        "",
        origin,
      ]);
      expect(preflight.headers["access-control-allow-methods"]).toBe("GET, POST");
      expect(preflight.headers["access-control-allow-headers"]).toMatch(/A2A-Version.*Content-Type/);
    },
  );

  test.each(["https://evil.example", "null", "http://localhost.evil.example", "https://tools.example:444", "garbage"])(
    "%s may not",
    async (origin) => {
      const { url, plain: sent } = post("spec", origin);
      const answer = await plain(url, sent);
      expect([answer.headers["access-control-allow-origin"], answer.headers["vary"]]).toEqual([undefined, "Origin"]);
      const preflight = await plain(at("spec/message:send"), {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
      expect([preflight.status, preflight.headers["access-control-allow-origin"]]).toEqual([204, undefined]);
      expect(preflight.headers["access-control-allow-methods"]).toBe(undefined);
    },
  );

  test("errors can be read by the same pages as answers", async () => {
    for (const binding of bindings) {
      const sent = written(at("spec"), binding, "GetTask", { id: "nope" }, { Origin: "http://localhost:3000" });
      const { headers } = await plain(sent.url, sent.plain);
      expect(headers["access-control-allow-origin"]).toBe("http://localhost:3000");
    }
  });

  test("a preflight of REST allows its verbs", async () => {
    const { headers } = await plain(at("spec/tasks/x"), {
      method: "OPTIONS",
      headers: { Origin: "http://localhost:1", "Access-Control-Request-Method": "DELETE" },
    });
    expect(headers["access-control-allow-methods"]).toBe("GET, POST, DELETE");
  });
});

describe("the Host", () => {
  test.each([
    "localhost",
    "localhost:9",
    "127.0.0.1",
    "127.9.9.9:80",
    "[::1]:80",
    "agents.example",
    "AGENTS.example.:80",
  ])("%s is one of ours", async (host) => {
    expect((await plain(at("health"), { headers: { Host: host } })).status).toBe(200);
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "localhost@evil.example",
    // HTTP/2 without an authority is rejected before routing.
    ...(overHttp2 ? [] : ["a b"]),
    "localhost:x",
    "-",
  ])("%s is none of ours", async (host) => {
    for (const path of ["", "health", "spec", `spec/${wellKnown}`, "spec/tasks"]) {
      const answer = await plain(at(path), { headers: { Host: host } });
      expect(refusalIn(rest, answer)).toEqual(refusedAs(rest, "MisdirectedRequest"));
    }
    const { url, plain: sent } = written(at("spec"), "JSONRPC", "ListTasks", {}, { Host: host });
    expect((await plain(url, sent)).status).toBe(421);
  });
});

describe("media types of bodies", () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "SendMessage", params: sending("hi") });
  const post = (path: string, type: string | undefined, text: string) =>
    plain(at(path), {
      method: "POST",
      headers: { "A2A-Version": "1.0", ...(type === undefined ? {} : { "Content-Type": type }) },
      body: text,
    });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    " application/json ",
  ])("JSON-RPC takes %j", async (type) => {
    expect((await post("echo", type, body)).status).toBe(200);
    expect(JSON.parse((await post("echo/", type, body)).text).result.message.parts).toEqual([{ text: "Echo: hi" }]);
  });

  test.each([
    undefined,
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonx",
  ])("JSON-RPC refuses %j", async (type) => {
    expect(refusalIn("JSONRPC", await post("echo", type, body))).toEqual(
      refusedAs("JSONRPC", "ContentTypeNotSupported", null),
    );
  });

  test.each(["application/a2a+json", "application/json", "APPLICATION/A2A+JSON; charset=utf-8"])(
    "HTTP+JSON takes %j",
    async (type) => {
      const answer = await post("echo/message:send", type, JSON.stringify(sending("hi")));
      expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/a2a+json"]);
    },
  );

  test.each([undefined, "", "text/plain", "application/xml", "application/a2a"])(
    "HTTP+JSON refuses %j",
    async (type) => {
      expect(refusalIn(rest, await post("echo/message:send", type, JSON.stringify(sending("hi"))))).toEqual(
        refusedAs(rest, "ContentTypeNotSupported"),
      );
    },
  );

  test("HTTP+JSON needs no media type without a body", async () => {
    const answer = await post("spec/tasks/nope:cancel", undefined, "");
    expect(refusalIn(rest, answer)).toEqual(refusedAs(rest, "TaskNotFound"));
  });

  test("a subscription works with GET and with POST", async () => {
    const headers = { "A2A-Version": "1.0" };
    const answer = await plain(at("spec/tasks/nope:subscribe"), { headers });
    expect(refusalIn(rest, answer)).toEqual(refusedAs(rest, "TaskNotFound"));
  });
});

describe("wrong HTTP methods", () => {
  test.each<[string, string, string]>([
    ["PUT", "spec", "GET, POST"],
    ["DELETE", "spec/", "GET, POST"],
    ["PATCH", "", "GET, POST"],
    ["POST", `spec/${wellKnown}`, "GET"],
    ["DELETE", wellKnown, "GET"],
    ["POST", "health", "GET"],
    ["PUT", "metrics", "GET"],
    ["POST", ".well-known/jwks.json", "GET"],
    ["GET", "spec/message:send", "POST"],
    ["PUT", "spec/message:stream", "POST"],
    ["POST", "spec/tasks", "GET"],
    ["DELETE", "spec/tasks/x", "GET"],
    ["PUT", "spec/tasks/x", "GET"],
    ["GET", "spec/tasks/x:cancel", "POST"],
    ["PUT", "spec/tasks/x:subscribe", "POST, GET"],
    ["PATCH", "spec/tasks/x/pushNotificationConfigs", "POST, GET"],
    ["POST", "spec/tasks/x/pushNotificationConfigs/y", "GET, DELETE"],
    ["POST", "spec/extendedAgentCard", "GET"],
    ["PUT", "full/north/tasks/x", "GET"],
    ["TRACE", "spec/tasks", "GET"],
  ])("%s /%s is refused with Allow: %s", async (method, path, allow) => {
    const answer = await plain(at(path), { method, headers: { "A2A-Version": "1.0" } });
    expect([refusalIn(rest, answer), answer.headers.allow]).toEqual([refusedAs(rest, "MethodNotAllowed"), allow]);
  });

  test.each([
    "spec/nothing",
    "spec/tasks/",
    "spec/tasks/x/y",
    "nothing/here",
    "spec//tasks",
    "spec/message:",
    "favicon.ico",
  ])("there is nothing at /%s", async (path) => {
    const answer = await plain(at(path), { headers: { "A2A-Version": "1.0" } });
    expect(refusalIn(rest, answer)).toEqual(refusedAs(rest, "MethodNotFound"));
  });

  test("HEAD of an operation is rejected like any other method", async () => {
    const answer = await plain(at("spec/tasks"), { method: "HEAD", headers: { "A2A-Version": "1.0" } });
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([405, "GET", ""]);
  });
});

describe("the root for people and operators", () => {
  test("only GET / for text/html is a page", async () => {
    const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const page = await plain(at(""), { headers });
    expect([page.status, page.headers["content-type"], page.text.slice(0, 15)]).toEqual([
      200,
      "text/html; charset=utf-8",
      "<!doctype html>",
    ]);
    for (const agent of agents) expect(page.text).toContain(`<a href="/${agent}">`);
    for (const accept of ["*/*", "application/json"]) {
      const answer = await plain(at(""), { headers: { Accept: accept } });
      expect([accept, answer.headers["content-type"]]).toEqual([accept, "application/json"]);
    }
    for (const path of ["spec", "spec/", "nothing", "spec/tasks"]) {
      const answer = await plain(at(path), { headers });
      expect([path, /html/.test(answer.headers["content-type"]!)]).toEqual([path, false]);
    }
  });

  test("the page does not repeat an address unescaped", async () => {
    const asked = plain(at(""), { headers: { Accept: "text/html", Host: 'localhost"><script>' } });
    if (overHttp2) return expect(asked).rejects.toThrow("PROTOCOL_ERROR");
    const answer = await asked;
    expect([answer.status, /<script/.test(answer.text)]).toEqual([421, false]);
  });

  test("/health and /ready return ok", async () => {
    for (const [path, body] of [
      ["health", { status: "ok" }],
      ["ready", { ready: true }],
    ] as const) {
      const answer = await plain(at(path));
      expect([answer.status, answer.headers["content-type"], JSON.parse(answer.text)]).toEqual([
        200,
        "application/json",
        body,
      ]);
    }
  });

  test("/metrics counts tasks, connections and errors in the text format of Prometheus", async () => {
    const sent = written(at("minimal"), "JSONRPC", "SubscribeToTask", { id: "x" });
    await plain(sent.url, sent.plain);
    const { status, headers, text } = await plain(at("metrics"));
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const families = readExposition(text);
    const labels = 'agent="minimal",binding="JSONRPC",operation="SubscribeToTask"';
    const sampleOf = (name: string, more: string) => families.get(name)?.samples.get(`${name}{${labels},${more}}`);
    expect(sampleOf("assay_errors_total", 'error="UnsupportedOperation"')).toBe(1);
    expect(sampleOf("assay_requests_total", 'outcome="UnsupportedOperation"')).toBe(1);
    expect(families.get("assay_request_duration_seconds")?.type).toBe("histogram");
    expect(text).toMatch(/^assay_tasks \d+$/m);
    expect(text).toMatch(/^assay_connections [1-9]\d*$/m);
    expect(text).toMatch(/^assay_streams \d+$/m);
  });
});

test("an authentication error has its challenge on both bindings", async () => {
  for (const binding of bindings) {
    const sent = written(at("spec"), binding, "GetExtendedAgentCard", {});
    const answer = await plain(sent.url, sent.plain);
    expect(refusalIn(binding, answer)).toEqual(refusedAs(binding, "Unauthenticated"));
    expect(answer.headers["www-authenticate"]).toBe('Bearer realm="extended card"');
  }
});
