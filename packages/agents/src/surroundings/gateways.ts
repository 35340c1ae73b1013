import { asksFor, between, delivered, each, page, refusal, when } from "./conducts.ts";
import { atFirst, insteadOfAnswer, thought } from "./deliveries.ts";
import { type Conduct, type Deliver, type Surrounding, surrounding } from "./surrounding.ts";

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
  surrounding(
    "gateway-blip",
    "Now and then the gateway answers three requests in a row with its 502 page, within milliseconds.",
    () => when(({ number }) => number >= 30 && number % 30 < 3, badGateway),
  ),
  surrounding("gateway-502-now-and-then", "The gateway answers every 20th request with its 502 page.", () =>
    when(each(20), badGateway),
  ),
  surrounding(
    "gateway-504-on-send",
    "The agent accepts every message, streamed or not, but the gateway returns its 504 page after 3 s.",
    () => when(asksFor("send", "stream"), delivered(thought(impatient(3_000)))),
  ),
  surrounding("gateway-502-on-send", "The agent accepts the first message, but the gateway returns its 502 page.", () =>
    when(asksFor("send"), delivered(thought(atFirst(insteadOfAnswer(badGateway))))),
  ),
  surrounding("gateway-503", "The gateway answers six requests in a row with its 503 page, without Retry-After.", () =>
    when(between(31, 36), page(503, "Service Unavailable")),
  ),
  surrounding(
    "rate-limit",
    "The gateway passes five requests a second. It answers the rest with 429 and Retry-After.",
    () => atMost(5, { "Retry-After": "1" }),
  ),
  surrounding("rate-limit-without-retry-after", "Every tenth request gets 429, without Retry-After.", () =>
    when(each(10), page(429, "Too Many Requests")),
  ),
  surrounding("payment-required", "Every message is rejected with 402: the agent requires payment.", () =>
    when(asksFor("send", "stream"), refusal(402, "Payment required: this agent charges for each message")),
  ),
  surrounding(
    "prompt-forbidden",
    "Every message is rejected with 403: a content filter before the agent blocks the prompt.",
    () => when(asksFor("send", "stream"), delivered(thought(insteadOfAnswer(forbidden)))),
  ),
];
