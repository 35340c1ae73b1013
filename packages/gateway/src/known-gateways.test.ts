import type { Exchange, HeaderPairs } from "@assay/wire";
import { expect, test } from "vitest";
import { recognised, recognisedByError, settingFor } from "./known-gateways.ts";
import type { GatewayCall } from "./verdict.ts";

const exchangeOf = (asked: HeaderPairs, answered: HeaderPairs, body = ""): Exchange => ({
  id: "x1",
  transport: {
    sent: new Uint8Array(),
    sentTruncated: false,
    received: new Uint8Array(),
    receivedTruncated: false,
    reused: false,
  },
  http: {
    request: { method: "GET", url: "http://127.0.0.1/", headers: asked, body: new Uint8Array(), bodyTruncated: false },
    response: {
      status: 502,
      statusText: "",
      headers: answered,
      body: Buffer.from(body),
      bodyTruncated: false,
      trailers: [],
    },
  },
  timing: { startedAt: "2026-11-15T08:14:02.000Z", end: 1 },
});

/** A call with headers that the client received, and headers that the gateway added. */
const callOf = (answered: HeaderPairs, added: HeaderPairs = []): GatewayCall => ({
  client: exchangeOf([], answered),
  agent: [exchangeOf(added, [])],
});

test.each<[string, HeaderPairs, HeaderPairs?]>([
  ["nginx", [["Server", "nginx/1.22.1"]]],
  ["HAProxy", [["Via", "1.1 haproxy"]]],
  ["Caddy", [["Server", "Caddy"]]],
  ["Apache httpd", [["Server", "Apache/2.4"]]],
  ["Envoy", [["server", "envoy"]]],
  [
    "Traefik",
    [],
    [
      ["X-Forwarded-Server", "b1946ac92492"],
      ["X-Forwarded-Port", "80"],
      ["X-Real-Ip", "127.0.0.1"],
    ],
  ],
  ["LiteLLM", [], [["user-agent", "litellm/1.106.2"]]],
  ["ContextForge", [["server", "uvicorn"]], [["X-Contextforge-UAID-Hop", "1"]]],
])("%s is recognised by its headers", (name, answered, added) => {
  expect(recognised(callOf(answered, added))?.name).toBe(name);
});

test.each([
  ["nginx", "<html>\r\n<hr><center>nginx</center>\r\n</html>"],
  [
    "HAProxy",
    "<html><body><h1>502 Bad Gateway</h1>\nThe server returned an invalid or incomplete response.\n</body></html>",
  ],
  ["Envoy", "upstream connect error or disconnect/reset before headers. reset reason: connection termination"],
  ["agentgateway", "upstream call failed: SendRequest: connection closed"],
])("%s is recognised by its error page", (name, body) => {
  expect(recognisedByError({ client: exchangeOf([], [], body), agent: [] })?.name).toBe(name);
});

test.each<[string, GatewayCall]>([
  ["an unknown server", callOf([["Server", "uvicorn"]])],
  ["forwarding headers that many gateways add", callOf([], [["X-Forwarded-Server", "gw"]])],
])("%s is no known gateway", (_, call) => {
  expect(recognised(call)).toBeUndefined();
  expect(recognisedByError(call)).toBeUndefined();
});

test("a setting without a proof is marked", () => {
  const [nginx] = [recognised(callOf([["Server", "nginx"]]))!];
  expect(settingFor(nginx, "GW-STREAM-TIMING")).toBe("nginx: `proxy_buffering off;`.");
  const envoy = recognised(callOf([["Server", "envoy"]]))!;
  expect(settingFor(envoy, "GW-STREAM-IDLE")).toBe(
    "Envoy: `route.timeout: 0s and stream_idle_timeout: 3600s` (not tested).",
  );
});
