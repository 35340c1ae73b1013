import type { Exchange, HeaderPairs } from "@assay/wire";
import { jsonDifference } from "./json-text.ts";
import {
  broken,
  type ChangedPlace,
  changed,
  type ExaminedProperty,
  type GatewayCall,
  notExamined,
  type PropertyVerdict,
  preserved,
} from "./verdict.ts";

const utf8 = new TextDecoder();

const headerOf = (headers: HeaderPairs, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

export const sentHeader = ({ http }: Exchange, name: string): string | undefined =>
  headerOf(http.request.headers, name);

export const answeredHeader = ({ http }: Exchange, name: string): string | undefined =>
  http.response && headerOf(http.response.headers, name);

export const requestText = ({ http }: Exchange): string => utf8.decode(http.request.body);

export const answerText = ({ http }: Exchange): string => utf8.decode(http.response?.body);

/** Judges the one request that reached the agent. Says so if none did. */
export function judged(
  passage: GatewayCall,
  judge: (agent: Exchange, client: Exchange) => PropertyVerdict,
): ExaminedProperty {
  const [arrived] = passage.agent;
  const { client } = passage;
  const reason = !arrived ? unreached(client) : isTranslated(client, arrived) ? translated : undefined;
  const judgement = reason === undefined ? judge(arrived!, client) : notExamined(reason);
  return { judgement, passages: [passage] };
}

const translated = "the gateway translates requests of A2A 0.3 into 1.0, and Assay does not test translations";

/** A gateway may connect clients of 0.3 with agents of 1.0. */
const isTranslated = (client: Exchange, arrived: Exchange): boolean =>
  isOfOlderVersion(client) && (is10(arrived) || /"method":\s*"[A-Z]/.test(requestText(arrived)));

const is10 = (exchange: Exchange): boolean => sentHeader(exchange, "a2a-version")?.startsWith("1.") ?? false;

/** Returns true for a method like `message/send`, or a path like `/v1/message:send`. */
const isOfOlderVersion = (exchange: Exchange): boolean =>
  !is10(exchange) &&
  (/"method":\s*"[a-z]+\//.test(requestText(exchange)) || new URL(exchange.http.request.url).pathname.includes("/v1/"));

function unreached({ failure, http: { response } }: Exchange): string {
  const answer = response ? `the gateway answered HTTP ${response.status} itself` : (failure?.message ?? "no response");
  return `the request did not reach the agent: ${answer}`;
}

/** Compares the JSON of a request, a response or an event before and after the gateway. */
export function judgedJson(
  what: string,
  before: string,
  after: string,
  { part, place }: ChangedPlace = { part: "response" },
): PropertyVerdict {
  if (before === after) return preserved;
  const difference = jsonDifference(before, after);
  if (!difference)
    return changed(`${what} is written differently, with the same content`, { part, ...(place && { place }) });
  const { path } = difference;
  const at: ChangedPlace = { part, place: { ...place, path } };
  const seen = { saw: `${path}: ${difference.after}`, want: `${path}: ${difference.before}` };
  const values = `(${difference.before}, now ${difference.after})`;
  if (difference.is === "notation") return changed(`${path} in ${what} has another notation ${values}`, at, seen);
  if (difference.is === "rounded") return changed(`${path} in ${what} is rounded to a double ${values}`, at, seen);
  return broken(`${what} changes at ${path}`, seen, at);
}
