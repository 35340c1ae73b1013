import { isObject, isTooLarge } from "@assay/protocol";
import { type CardSearch, cardJson, type FailureCode } from "@assay/wire";
import type { ReasonCode } from "./reasons.ts";
import { answerOf, isPage, type SeenAnswer } from "./seen-answer.ts";

/** The reason why an agent is in its class, and the response that shows it. */
export interface ClassFinding {
  readonly code: ReasonCode;
  readonly answer?: SeenAnswer;
}

/** Classifies a request that received no complete response. */
export const failureReasons: Record<FailureCode, ReasonCode> = {
  "refused-by-guard": "guard-agent",
  dns: "dns",
  "connect-refused": "connection-refused",
  unreachable: "no-connection",
  "timeout-connect": "no-connection",
  tls: "tls",
  "closed-at-once": "connection-dropped",
  reset: "connection-dropped",
  "closed-early": "connection-dropped",
  "timeout-idle": "endpoint-timeout",
  "timeout-total": "endpoint-timeout",
  malformed: "endpoint-no-a2a",
  "too-large": "endpoint-too-large",
  "too-many-events": "endpoint-too-large",
  proxy: "network-trouble",
  unsupported: "network-trouble",
  unknown: "network-trouble",
  aborted: "interrupted",
};

/** Failures that have a more specific reason when they affect the card. */
const cardFailures: Partial<Record<FailureCode, ReasonCode>> = {
  "timeout-idle": "card-timeout",
  "timeout-total": "card-timeout",
  malformed: "card-error",
  "too-large": "card-too-large",
};

/** Classifies one place; the first match wins, and more specific matches come first. */
const rows: readonly { readonly code: ReasonCode; readonly when: (place: Place) => boolean }[] = [
  { code: "card-login", when: ({ answer }) => answer.status === 401 || answer.status === 403 },
  { code: "card-login", when: ({ isLed, answer }) => isLed && answer.status === 200 && isPage(answer) },
  { code: "card-payment", when: ({ answer }) => answer.status === 402 },
  { code: "busy", when: ({ answer }) => answer.status === 429 },
  { code: "gateway", when: ({ answer }) => [502, 503, 504].includes(answer.status ?? 0) },
  { code: "card-error", when: ({ answer }) => (answer.status ?? 0) >= 500 },
  { code: "card-too-large", when: ({ kind }) => kind === "too-large" },
  { code: "card-no-card", when: ({ kind }) => kind === "no-card" },
  { code: "card-not-json", when: ({ kind }) => kind === "no-json" },
  { code: "card-page", when: ({ kind }) => kind === "page" },
];

/** A place where the card was looked for. */
interface Place {
  readonly answer: SeenAnswer;
  /** a redirect led to another address */
  readonly isLed: boolean;
  /** the content of a response with status 200 */
  readonly kind?: "page" | "no-json" | "no-card" | "too-large" | "card";
}

/** Returns the reason why a search found no card of this agent. */
export function cardTroubleOf({ tried, other }: CardSearch): ClassFinding {
  const places = tried.map(({ url, exchange }): Place => {
    const answer = answerOf(exchange);
    const kind = answer.status === 200 && !answer.failure ? kindOf(exchange, answer) : undefined;
    return { answer, isLed: exchange.http.request.url !== url, ...(kind && { kind }) };
  });
  const failed = places.find(({ answer }) => answer.failure !== undefined);
  for (const { code, when } of rows) {
    const place = places.find(when);
    if (place) return { code, answer: place.answer };
  }
  if (failed) return { code: cardFailure(failed.answer.failure!), answer: failed.answer };
  const last = places[0] && { answer: places[0].answer };
  return { code: other ? "card-of-another" : "card-missing", ...last };
}

const cardFailure = (failure: FailureCode): ReasonCode => cardFailures[failure] ?? failureReasons[failure];

function kindOf({ http }: CardSearch["tried"][number]["exchange"], answer: SeenAnswer): NonNullable<Place["kind"]> {
  if (isPage(answer)) return "page";
  const json = cardJson(http.response!.body);
  if (json === undefined) return "no-json";
  if (isTooLarge(json)) return "too-large";
  // A card that was found here and is not this agent's card belongs to another agent.
  return isObject(json) && "name" in json && ("supportedInterfaces" in json || "url" in json) ? "card" : "no-card";
}
