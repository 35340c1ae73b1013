import { isObject, type JsonObject, parseJson, versionHeader } from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import type { Exchange, HeaderPairs } from "../recording/exchange.ts";

export interface FoundCard {
  readonly url: string;
  readonly json: JsonObject;
  readonly exchange: Exchange;
}

/** What was tried, in order, and what each place answered. */
export interface CardSearch {
  readonly found?: FoundCard;
  readonly tried: readonly { readonly url: string; readonly saw: string; readonly exchange: Exchange }[];
}

/**
 * Finds an agent's card from whatever the user has: the address of the card, of the agent, or of its host.
 * Both well-known names are tried below the address, then at the root, then the address itself.
 */
export async function discoverCard(
  client: HttpClient,
  address: string,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<CardSearch> {
  const tried: { url: string; saw: string; exchange: Exchange }[] = [];
  for (const url of placesOf(address)) {
    const { exchange, json } = await fetchCard(client, url, [[versionHeader, "1.0"], ...headers], signal);
    if (json) return { found: { url, json, exchange }, tried };
    tried.push({ url, saw: sawOf(exchange), exchange });
    // Nothing answers there, or we may not go there: the other paths of the same host will not help.
    if (exchange.failure && !exchange.http.response && new URL(url).host === new URL(address).host) break;
  }
  return { tried };
}

/** What is served at an address, and the card in it if it is one. */
export async function fetchCard(
  client: HttpClient,
  url: string,
  headers: HeaderPairs,
  signal?: AbortSignal,
): Promise<{ readonly exchange: Exchange; readonly json: JsonObject | undefined }> {
  const exchange = await client.request(
    { method: "GET", url, headers: [["Accept", "application/json"], ...headers], followRedirects: 3 },
    signal,
  );
  return { exchange, json: cardIn(exchange) };
}

function placesOf(address: string): string[] {
  const url = new URL(address);
  url.hash = "";
  if (/\.json$/i.test(url.pathname)) return [url.href];
  const bases = [`${url.origin}${url.pathname.replace(/\/+$/, "")}`, url.origin];
  const names = ["agent-card.json", "agent.json"];
  const wellKnown = bases.flatMap((base) => names.map((name) => `${base}/.well-known/${name}`));
  return [...new Set([...wellKnown, url.href])];
}

function cardIn({ http, failure }: Exchange): JsonObject | undefined {
  if (failure || http.response?.status !== 200) return undefined;
  try {
    const json = parseJson(Buffer.from(http.response.body).toString("utf8"));
    // Any JSON object could be answered here; a card, even one that forgot its name, says where to go or what it can do.
    const looksLikeCard =
      isObject(json) &&
      ("name" in json || "capabilities" in json) &&
      ("supportedInterfaces" in json || "url" in json || "skills" in json);
    return looksLikeCard ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const sawOf = ({ http, failure }: Exchange): string =>
  failure
    ? failure.message
    : http.response?.status === 200
      ? "200, but no agent card"
      : `HTTP ${http.response?.status}`;
