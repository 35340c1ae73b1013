import { asksFor, between, delivered, each, page, refusal, when } from "./conducts.ts";
import { atFirst, insteadOfAnswer, thought } from "./deliveries.ts";
import type { Conduct, Deliver, Surrounding } from "./surrounding.ts";

/** Responses of a gateway, load balancer or paywall instead of the agent. */

const forbidden = refusal(403, "The content of this message is not allowed here");
const badGateway = page(502, "Bad Gateway");

/** Does not wait for a slow agent. */
const impatient = (ms: number): Deliver =>
  insteadOfAnswer(async (passage) => {
    await passage.wait(ms);
    return page(504, "Gateway Time-out")(passage);
  });

/** Passes this many requests per second, and no more. */
function atMost(perSecond: number, headers: Readonly<Record<string, string>>): Conduct {
  const passed: number[] = [];
  return (passage) => {
    const now = Date.now();
    while (passed[0] !== undefined && passed[0] <= now - 1_000) passed.shift();
    if (passed.length >= perSecond) return page(429, "Too Many Requests", headers)(passage);
    passed.push(now);
    return passage.forward();
  };
}

export const gateways: readonly Surrounding[] = [
  {
    id: "gateway-blip",
    what: "Now and then the gateway answers three requests in a row with its 502 page, within milliseconds.",
    does: () => when(({ number }) => number >= 30 && number % 30 < 3, badGateway),
  },
  {
    id: "gateway-502-now-and-then",
    what: "The gateway answers every 20th request with its 502 page.",
    does: () => when(each(20), badGateway),
  },
  {
    id: "gateway-504-on-send",
    what: "The agent accepts every message, streamed or not, but the gateway returns its 504 page after 3 s.",
    does: () => when(asksFor("send", "stream"), delivered(thought(impatient(3_000)))),
  },
  {
    id: "gateway-502-on-send",
    what: "The agent accepts the first message, but the gateway returns its 502 page.",
    does: () => when(asksFor("send"), delivered(thought(atFirst(insteadOfAnswer(badGateway))))),
  },
  {
    id: "gateway-503",
    what: "The gateway answers six requests in a row with its 503 page, without Retry-After.",
    does: () => when(between(31, 36), page(503, "Service Unavailable")),
  },
  {
    id: "rate-limit",
    what: "The gateway passes five requests a second. It answers the rest with 429 and Retry-After.",
    does: () => atMost(5, { "Retry-After": "1" }),
  },
  {
    id: "rate-limit-without-retry-after",
    what: "Every tenth request gets 429, without Retry-After.",
    does: () => when(each(10), page(429, "Too Many Requests")),
  },
  {
    id: "payment-required",
    what: "Every message is rejected with 402: the agent requires payment.",
    does: () => when(asksFor("send", "stream"), refusal(402, "Payment required: this agent charges for each message")),
  },
  {
    id: "prompt-forbidden",
    what: "Every message is rejected with 403: a content filter before the agent blocks the prompt.",
    does: () => when(asksFor("send", "stream"), delivered(thought(insteadOfAnswer(forbidden)))),
  },
];
