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

/** All places tried, in order, with their responses. */
export interface CardSearch {
  readonly found?: FoundCard;
  /** a card elsewhere on the host that does not mention the address: another agent's */
  readonly other?: FoundCard;
  readonly tried: readonly { readonly url: string; readonly saw: string; readonly exchange: Exchange }[];
}

/**
 * Finds an agent's card from the address of the card, the agent or its host. It tries both well-known names below the
 * address, then below each parent folder, then the address itself. Last, it tries the path that servers with several
 * agents use: `/api/.well-known/<agent>/agent-card.json`.
 */
export async function discoverCard(
  client: Pick<HttpClient, "request">,
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
    // If the host does not respond, times out or is forbidden, its other paths will not help.
    const isSilent = exchange.failure && (!exchange.http.response || isLate(exchange.failure));
    if (isSilent && new URL(url).host === new URL(address).host) break;
  }
  return { tried, ...(other && { other }) };
}

/** Returns true if a failure is a timeout. */
export const isLate = ({ code }: Failure): boolean => code === "timeout-idle" || code === "timeout-total";

/** Requests an address, and returns the card if it serves one. */
export async function fetchCard(
  client: Pick<HttpClient, "request">,
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

/** Maximum number of folders to search, from the address up to the root. */
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

/** Returns true if the card is at the address or below it. */
const isBelow = (url: string, address: string): boolean => isWithin(pathOf(url), pathOf(address));

/** Returns true if an interface of the card contains the address, or is below it. */
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
  // Any JSON object could be served here. A card, even one without a name, has an address or skills.
  const looksLikeCard =
    isObject(json) &&
    ("name" in json || "capabilities" in json) &&
    ("supportedInterfaces" in json || "url" in json || "skills" in json);
  return looksLikeCard && !isTooLarge(json) ? (json as JsonObject) : undefined;
}

/** Parses a card. The decoder drops a byte order mark, which is invalid JSON but may be ignored (RFC 8259 §8.1). */
export const cardJson = (body: Uint8Array): JsonValue | undefined => jsonIn(new TextDecoder().decode(body));

/** Description of a document with too many values for a card. */
export const tooLarge = "200, but too large to read as a card";

function sawOf(exchange: Exchange): string {
  const { http, failure } = exchange;
  if (failure) return failure.message;
  if (http.response?.status !== 200) return `HTTP ${http.response?.status}`;
  if (isWebPage(exchange)) return "200, but a web page";
  const json = cardJson(http.response.body);
  if (json === undefined) return "200, but not JSON";
  return isTooLarge(json) ? tooLarge : "200, but not an agent card";
}
