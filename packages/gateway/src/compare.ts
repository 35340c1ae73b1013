import type { Exchange, HeaderPairs } from "@assay/wire";
import { jsonDifference } from "./json-text.ts";
import {
  broken,
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
  const judgement = arrived ? judge(arrived, passage.client) : notExamined(unreached(passage.client));
  return { judgement, passages: [passage] };
}

function unreached({ failure, http: { response } }: Exchange): string {
  const answer = response ? `the gateway answered HTTP ${response.status} itself` : (failure?.message ?? "no response");
  return `the request did not reach the agent: ${answer}`;
}

/** Compares the JSON of a request or response before and after the gateway. */
export function judgedJson(what: string, before: string, after: string): PropertyVerdict {
  if (before === after) return preserved;
  const difference = jsonDifference(before, after);
  if (!difference) return changed(`${what} is written differently, with the same content`);
  if (difference.isNotation)
    return changed(`a number in ${what} has another notation (${difference.before}, now ${difference.after})`);
  return broken(`${what} changes at ${difference.path}`, {
    saw: `${difference.path}: ${difference.after}`,
    want: `${difference.path}: ${difference.before}`,
  });
}
