import { expect, test } from "vitest";
import { agentCors, cardCors, preflight } from "./cors.ts";

const listed = ["https://app.example", "null"];

test.each([
  ["http://localhost:5173", true],
  ["https://127.0.0.1", true],
  ["http://[::1]:8080", true],
  ["http://ui.localhost", true],
  ["https://app.example", true],
  ["https://app.example:444", false],
  ["https://app.example.evil", false],
  ["http://localhost.evil", false],
  ["chrome-extension://localhost", false],
  ["null", false],
  ["garbage", false],
])("may %s talk to agents? %s", (origin, may) => {
  expect("Access-Control-Allow-Origin" in agentCors(origin, listed)).toBe(may);
});

test("an agent echoes an origin that may, and always tells caches that it looked", () => {
  expect(agentCors("https://app.example", listed)).toEqual({
    Vary: "Origin",
    "Access-Control-Allow-Origin": "https://app.example",
    "Access-Control-Expose-Headers": "A2A-Version, A2A-Extensions, ETag, Retry-After, WWW-Authenticate, X-Request-Id",
  });
  expect(agentCors("https://evil.example", listed)).toEqual({ Vary: "Origin" });
  expect(agentCors(undefined, listed)).toEqual({ Vary: "Origin" });
});

test("a preflight grants methods and headers to allowed origins only", () => {
  expect(preflight(cardCors, ["GET", "HEAD"])).toEqual({
    ...cardCors,
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers":
      "A2A-Version, A2A-Extensions, Authorization, Content-Type, Last-Event-ID, If-None-Match, X-API-Key, X-Request-Id, traceparent, tracestate",
    "Access-Control-Max-Age": "600",
  });
  expect(preflight(agentCors("https://evil.example", listed), ["POST"])).toEqual({ Vary: "Origin" });
});
