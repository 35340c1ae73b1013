import {
  isObject,
  isTooLarge,
  type JsonObject,
  type JsonValue,
  jsonIn,
  normaliseCard,
  versionHeader,
} from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import type { Exchange, Failure, HeaderPairs } from "../recording/exchange.ts";
import { isWebPage } from "../recording/web-page.ts";

export interface FoundCard {
  readonly url: string;
  readonly json: JsonObject;
  readonly exchange: Exchange;
}

/** What was tried, in order, and what each place answered. */
export interface CardSearch {
  readonly found?: FoundCard;
  /** a card further up on the host, which does not mention the address: another agent's */
  readonly other?: FoundCard;
  readonly tried: readonly { readonly url: string; readonly saw: string; readonly exchange: Exchange }[];
}

/**
 * Finds an agent's card from whatever the user has: the address of the card, of the agent, or of its host.
 * Both well-known names are tried below the address, then below each folder that it lies in, then the address itself,
 * then where servers of several agents have the card of each: `/api/.well-known/<agent>/agent-card.json`.
 */
export async function discoverCard(
  client: HttpClient,
  address: string,
  headers: HeaderPairs = [],
  signal?: AbortSignal,
): Promise<CardSearch> {
  const tried: { url: string; saw: string; exchange: Exchange }[] = [];
  let other: FoundCard | undefined;
  for (const url of placesOf(address)) {
    const { exchange, json } = await fetchCard(client, url, [[versionHeader, "1.0"], ...headers], signal);
    if (json) {
      const found = { url, json, exchange };
      if (isBelow(url, address) || mentions(json, address)) return { found, tried };
      other ??= found;
    }
    tried.push({ url, saw: json ? "the card of another agent" : sawOf(exchange), exchange });
    // Nothing answers there, or not in time, or we may not go there: the other paths of the same host will not help.
    const isSilent = exchange.failure && (!exchange.http.response || isLate(exchange.failure));
    if (isSilent && new URL(url).host === new URL(address).host) break;
  }
  return { tried, ...(other && { other }) };
}

/** We waited as long as we do. */
export const isLate = ({ code }: Failure): boolean => code === "timeout-idle" || code === "timeout-total";

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

/** Folders that are looked into, from the address up to the root. */
const mostFolders = 5;

function placesOf(address: string): string[] {
  const url = new URL(address);
  url.hash = "";
  if (/\.json$/i.test(url.pathname)) return [url.href];
  const steps = url.pathname.split("/").filter(Boolean);
  const folders = steps.map((_, index) => `/${steps.slice(0, steps.length - index).join("/")}`);
  const bases = [...folders.slice(0, mostFolders), ""].map((folder) => `${url.origin}${folder}`);
  const names = ["agent-card.json", "agent.json"];
  const wellKnown = bases.flatMap((base) => names.map((name) => `${base}/.well-known/${name}`));
  const agent = steps.at(-1);
  const named = bases.slice(1).map((base) => `${base}/.well-known/${agent}/agent-card.json`);
  return [...new Set([...wellKnown, url.href, ...(agent === undefined ? [] : named)])];
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/+$/, "");
const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The card lies where the address leads, or under it. */
const isBelow = (url: string, address: string): boolean => isWithin(pathOf(url), pathOf(address));

/** One of the interfaces of a card has the address in it, or is one that the address lies in. */
function mentions(card: JsonObject, address: string): boolean {
  const asked = pathOf(address);
  return normaliseCard(card).interfaces.some(({ url }) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
    const path = pathOf(url);
    return isWithin(path, asked) || (path !== "" && isWithin(asked, path));
  });
}

function cardIn({ http, failure }: Exchange): JsonObject | undefined {
  if (failure || http.response?.status !== 200) return undefined;
  const json = cardJson(http.response.body);
  // Any JSON object could be answered here; a card, even one that forgot its name, says where to go or what it can do.
  const looksLikeCard =
    isObject(json) &&
    ("name" in json || "capabilities" in json) &&
    ("supportedInterfaces" in json || "url" in json || "skills" in json);
  return looksLikeCard && !isTooLarge(json) ? (json as JsonObject) : undefined;
}

/** The JSON of a card. Its decoder drops a byte order mark, which is no JSON, and may be ignored (RFC 8259 §8.1). */
export const cardJson = (body: Uint8Array): JsonValue | undefined => jsonIn(new TextDecoder().decode(body));

/** What is said of a document with more values than are read of a card. */
export const tooLarge = "200, but too large to read as a card";

function sawOf(exchange: Exchange): string {
  const { http, failure } = exchange;
  if (failure) return failure.message;
  if (http.response?.status !== 200) return `HTTP ${http.response?.status}`;
  if (isWebPage(exchange)) return "200, but a web page";
  const json = cardJson(http.response.body);
  if (json === undefined) return "200, but no JSON";
  return isTooLarge(json) ? tooLarge : "200, but no agent card";
}
