import { jsonObjectIn } from "@assay/protocol";
import { jsonIn } from "@assay/protocol/json";
import type { Exchange, HeaderPairs } from "@assay/wire";
import { jsonDifference } from "./json-text.ts";
import { idOf } from "./requests.ts";
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

const mediaTypeIn = (contentType: string | undefined): string | undefined =>
  contentType?.split(";")[0]?.trim().toLowerCase();

/** Returns true for two content types that differ only in their parameters. */
export const isSameType = (before: string | undefined, after: string | undefined): boolean =>
  mediaTypeIn(before) === mediaTypeIn(after);

/** Returns the harmless change if a gateway uses the media type of A2A 1.0.0, which clients and agents accept too. */
export const olderTypeIn = (before: string | undefined, after: string | undefined): string | undefined =>
  mediaTypeIn(before) === "application/a2a+json" && mediaTypeIn(after) === "application/json"
    ? "the gateway replaces application/a2a+json with application/json, the type of A2A 1.0.0"
    : undefined;

/** Judges the request that reached the agent. If none did, the judgement gives the reason. */
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

/** Returns the JSON-RPC id of a response or an event, as JSON text, if it is not the one of the request. */
export function foreignId({ http: { request } }: Exchange, answer: string): string | undefined {
  if (!("jsonrpc" in (jsonObjectIn(request.body) ?? {})) || jsonObjectIn(answer) === undefined) return undefined;
  const id = idOf(Buffer.from(answer));
  return id === idOf(request.body) ? undefined : id;
}

/**
 * Compares a response or an event before and after the gateway. A gateway may use JSON-RPC ids of its own towards the
 * agent, but the client has to get its own back.
 */
export function judgedResponse(
  what: string,
  before: string,
  after: string,
  client: Exchange,
  at: ChangedPlace = { part: "response" },
): PropertyVerdict {
  const judgement = judgedJson(what, before, after, at);
  const id = foreignId(client, after);
  if (judgement.is === "broken" || id === undefined) return judgement;
  const seen = { saw: `$.id: ${id}`, want: `$.id: ${idOf(client.http.request.body)}` };
  return broken(`${what} has another JSON-RPC id than the request`, seen, {
    ...at,
    place: { ...at.place, path: "$.id" },
  });
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
  if (jsonIn(before) !== undefined && jsonIn(after) === undefined)
    return broken(
      `${what} is no longer JSON`,
      { saw: difference.after || "an empty body", want: difference.before },
      { part },
    );
  const at: ChangedPlace = { part, place: { ...place, path } };
  const seen = { saw: `${path}: ${difference.after}`, want: `${path}: ${difference.before}` };
  const values = `(${difference.before}, now ${difference.after})`;
  if (difference.is === "notation") return changed(`${path} in ${what} has another notation ${values}`, at, seen);
  if (difference.is === "undefined-member")
    return changed(`${what} loses a member that A2A does not define: ${path}`, at, seen);
  if (difference.is === "rounded") return changed(`${path} in ${what} is rounded to a double ${values}`, at, seen);
  return broken(`${what} changes at ${path}`, seen, at);
}
