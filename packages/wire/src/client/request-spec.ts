import { validateHeaderName, validateHeaderValue } from "node:http";
import type { HeaderPairs } from "../recording/exchange.ts";

/** What a request wants of the connection that carries it. */
export interface ConnectionNeeds {
  /** One that has carried nothing before: a kept one may be dead without our knowing. */
  readonly fresh?: true;
  /** Milliseconds without a byte, in the place of the client's own. */
  readonly idleMs?: number;
}

/** What to send. Fields go out in this order; Host, Connection and Content-Length are placed by the client. */
export interface RequestSpec extends ConnectionNeeds {
  readonly method: string;
  readonly url: string;
  readonly headers?: HeaderPairs;
  readonly body?: Uint8Array;
  /** Credentials that stand in the address (`?key=…`): added where they may be shown, and nowhere else. */
  readonly query?: HeaderPairs;
  /** How many redirects to follow; none unless given. */
  readonly followRedirects?: number;
}

/** These frame the message, and undici frames it itself. */
const framing = new Set(["transfer-encoding", "keep-alive", "upgrade", "expect"]);

/** Throws on what a well-formed HTTP client cannot send; the raw client can send anything. */
export function assertSendable({ method, url, headers = [], body }: RequestSpec): void {
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") throw unsendable(`the URL "${url}"`);
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(method) || method === "CONNECT") throw unsendable(`the method "${method}"`);

  const once = new Set<string>();
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const key = name.toLowerCase();
    if (framing.has(key)) throw unsendable(`the header "${name}"`);
    if (key === "content-length" && value !== String(body?.length ?? 0)) throw unsendable("a wrong Content-Length");
    if (key === "connection" && !/^(close|keep-alive)$/i.test(value)) throw unsendable(`"Connection: ${value}"`);
    if ((key === "host" || key === "content-length") && once.has(key)) throw unsendable(`"${name}" twice`);
    once.add(key);
  }
}

const unsendable = (what: string): TypeError =>
  new TypeError(`The HTTP client cannot send ${what}. To send it anyway, write the bytes and use the raw client.`);
