import { type Binding, jsonObjectIn } from "@assay/protocol";
import type { Exchange } from "../recording/exchange.ts";
import { isWebPage } from "../recording/web-page.ts";

/** Returns the authentication challenge in parentheses, or an empty string. */
export function challengeOf({ http }: Exchange): string {
  const challenge = http.response?.headers.find(([name]) => name.toLowerCase() === "www-authenticate")?.[1];
  return challenge === undefined ? "" : ` (${challenge})`;
}

/** Describes a response at a card's address that does not belong to the binding, for example "answered HTTP 404". */
export function otherAnswer(exchange: Exchange, binding: Binding): string | undefined {
  const { response } = exchange.http;
  if (!response) return undefined;
  const location = response.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (response.status >= 300 && response.status < 400 && location !== undefined) {
    const { url } = exchange.http.request;
    return `redirects to ${URL.canParse(location, url) ? new URL(location, url).href : location}`;
  }
  const isJson = jsonObjectIn(response.body) !== undefined;
  // JSON-RPC has its own form for errors. Over HTTP+JSON the status tells more than the body.
  if (response.status >= 400 && !(isJson && binding === "JSONRPC")) return `answered HTTP ${response.status}`;
  if (isWebPage(exchange)) return "answered with a web page";
  if (!isJson) return `answered HTTP ${response.status}`;
  return `answered with JSON that is not ${binding === "JSONRPC" ? "JSON-RPC" : "A2A"}`;
}
