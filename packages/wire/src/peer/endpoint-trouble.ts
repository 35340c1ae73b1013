import { jsonObjectIn } from "@assay/protocol";
import type { Exchange } from "../recording/exchange.ts";
import { isWebPage } from "../recording/web-page.ts";

/** Returns the authentication challenge in parentheses, or an empty string. */
export function challengeOf({ http }: Exchange): string {
  const challenge = http.response?.headers.find(([name]) => name.toLowerCase() === "www-authenticate")?.[1];
  return challenge === undefined ? "" : ` (${challenge})`;
}

/** Describes a response at a card's address that does not belong to the binding, for example "answered HTTP 404". */
export function otherAnswer(exchange: Exchange): string | undefined {
  const { response } = exchange.http;
  if (!response) return undefined;
  const location = response.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (response.status >= 300 && response.status < 400 && location !== undefined) {
    const { url } = exchange.http.request;
    return `redirects to ${URL.canParse(location, url) ? new URL(location, url).href : location}`;
  }
  if (response.status >= 400 && !jsonObjectIn(response.body)) return `answered HTTP ${response.status}`;
  if (isWebPage(exchange)) return "answered with a web page";
  return jsonObjectIn(response.body) ? "answered with JSON that is not JSON-RPC" : `answered HTTP ${response.status}`;
}
