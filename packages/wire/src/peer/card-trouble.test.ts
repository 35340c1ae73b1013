import { expect, test } from "vitest";
import type { Exchange, HeaderPairs } from "../recording/exchange.ts";
import { cardTrouble } from "./card-trouble.ts";
import type { CardSearch } from "./discover.ts";

const typed = "http://agent.test/card.json";

interface Seen {
  readonly status?: number;
  readonly headers?: HeaderPairs;
  readonly body?: string;
  /** where the redirects led */
  readonly at?: string;
  readonly failure?: Exchange["failure"];
}

/** A search that tried one place, and saw this there. */
function searchOf(saw: string, { status, headers = [], body = "", at = typed, failure }: Seen): CardSearch {
  const response = status === undefined ? undefined : { status, headers, body: Buffer.from(body) };
  const exchange = { http: { request: { url: at }, response }, failure } as unknown as Exchange;
  return { tried: [{ url: typed, saw, exchange }] };
}

test.each<[string, CardSearch, ReturnType<typeof cardTrouble>["kind"], string, string]>([
  [
    "404",
    searchOf("HTTP 404", { status: 404 }),
    "no-card",
    `No agent card was found for ${typed}. Tried ${typed}: HTTP 404.`,
    "If the agent is served under a path",
  ],
  ["500", searchOf("HTTP 500", { status: 500 }), "no-card", "HTTP 500.", "See its log"],
  [
    "a web page",
    searchOf("200, but a web page", { status: 200, body: "<!doctype html>" }),
    "no-card",
    "200, but a web page.",
    "not of its website",
  ],
  [
    "no JSON",
    searchOf("200, but not JSON", { status: 200, body: "{name" }),
    "no-card",
    "200, but not JSON.",
    "Serve the card as valid JSON",
  ],
  [
    "a login",
    searchOf("HTTP 401", { status: 401, headers: [["WWW-Authenticate", "Bearer"]] }),
    "login",
    `This agent asks for a login: ${typed} answered HTTP 401 (Bearer).`,
    "--bearer env:TOKEN",
  ],
  ["no leave", searchOf("HTTP 403", { status: 403 }), "login", "answered HTTP 403.", "--bearer env:TOKEN"],
  [
    "a login page",
    searchOf("200, but a web page", { status: 200, body: "<html>", at: "http://agent.test/login" }),
    "login",
    `${typed} leads to http://agent.test/login, a web page.`,
    "--bearer env:TOKEN",
  ],
  [
    "a payment",
    searchOf("HTTP 402", { status: 402 }),
    "payment",
    `This agent asks for payment: ${typed} answered HTTP 402.`,
    "--header",
  ],
  [
    "nothing",
    searchOf("connection refused", {
      failure: { code: "connect-refused", message: "x", hint: "Check that the server is running on this port." },
    }),
    "unreachable",
    `Cannot reach ${typed} (connection refused).`,
    "Check that the server is running on this port.",
  ],
  [
    "a redirect into nothing",
    searchOf("no TLS", {
      at: "https://agent.test/card.json",
      failure: { code: "tls", message: "x", hint: "Check that the server uses TLS on this port." },
    }),
    "unreachable",
    `${typed} leads to https://agent.test/card.json, which is unreachable (no TLS).`,
    "Check that the server uses TLS",
  ],
  [
    "a host that may not be contacted",
    searchOf("10.0.0.1 is a private address.", {
      at: "http://10.0.0.1/",
      failure: { code: "refused-by-guard", message: "x", hint: "pass --allow-host 10.0.0.1" },
    }),
    "refused",
    "http://10.0.0.1/ was not contacted: 10.0.0.1 is a private address.",
    "--allow-host 10.0.0.1",
  ],
  [
    "a card that stalls",
    searchOf("timeout: no byte arrived for 1000 ms", {
      status: 200,
      failure: { code: "timeout-idle", message: "x" },
    }),
    "no-card",
    "timeout: no byte arrived for 1000 ms.",
    "--timeout <seconds>",
  ],
])("%s", (_, search, kind, message, hint) => {
  expect(cardTrouble(typed, search)).toEqual({
    kind,
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});
