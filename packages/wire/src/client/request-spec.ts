import { validateHeaderName, validateHeaderValue } from "node:http";
import { isHttpAddress } from "../address-kind.ts";
import type { HeaderPairs } from "../recording/exchange.ts";

/** Requirements of a request on its connection. */
export interface ConnectionNeeds {
  /** Use a new connection, because a kept one may be dead without our knowledge. */
  readonly fresh?: true;
  /** Idle timeout in milliseconds, instead of the client's own. */
  readonly idleMs?: number;
}

/** A request to send. Headers keep their order; the client adds Host, Connection and Content-Length. */
export interface RequestSpec extends ConnectionNeeds {
  readonly method: string;
  readonly url: string;
  readonly headers?: HeaderPairs;
  readonly body?: Uint8Array;
  /** Credentials in the address (`?key=…`), added only where they may be sent. */
  readonly query?: HeaderPairs;
  /** maximum number of redirects to follow (default: none) */
  readonly followRedirects?: number;
}

/** Framing headers, which undici sets itself. */
const framing = new Set(["transfer-encoding", "keep-alive", "upgrade", "expect"]);

/** Throws if an HTTP client cannot send the request. The raw client can send anything. */
export function assertSendable({ method, url, headers = [], body }: RequestSpec): void {
  if (!isHttpAddress(url)) throw unsendable(`the URL "${url}"`);
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
