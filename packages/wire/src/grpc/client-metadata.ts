import { validateHeaderName, validateHeaderValue } from "node:http";
import type { OutgoingHttpHeaders } from "node:http2";
import { headerOf } from "../client/http-head.ts";
import type { HeaderPairs } from "../recording/exchange.ts";
import { writeTimeout } from "./timeout.ts";

interface HeadOptions {
  readonly url: URL;
  readonly path: string;
  readonly metadata: HeaderPairs;
  readonly timeoutMs?: number | undefined;
  readonly userAgent?: string | undefined;
}

/** Headers that HTTP/2 forbids (RFC 9113 §8.2.2) and Node refuses to send. */
const unsendable = new Set([
  "connection",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that Node sends only once. */
const once = new Set(["authorization", "content-type", "grpc-timeout", "te", "user-agent"]);

/** Returns the header list of a call. Metadata overrides our own headers. Throws if it cannot be sent. */
export function writeHead({ url, path, metadata, timeoutMs, userAgent }: HeadOptions): HeaderPairs {
  const own: [string, string][] = [
    ["te", "trailers"],
    ["content-type", "application/grpc+proto"],
    ...(timeoutMs === undefined ? [] : [["grpc-timeout", writeTimeout(timeoutMs)] as [string, string]]),
    ...(userAgent === undefined ? [] : [["user-agent", userAgent] as [string, string]]),
  ];
  const given = metadata.map(([name, value]) => [name.toLowerCase(), value] as const);
  for (const [name, value] of given) assertSendable(name, value);
  const twice = given.find(([name], index) => once.has(name) && given.findIndex(([other]) => other === name) < index);
  if (twice) throw new TypeError(`The gRPC client cannot send "${twice[0]}" twice. Set it once.`);
  return [
    [":method", "POST"],
    [":scheme", url.protocol.slice(0, -1)],
    [":path", path],
    [":authority", url.host],
    ...own.filter(([name]) => headerOf(given, name) === undefined),
    ...given,
  ];
}

function assertSendable(name: string, value: string): void {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  if (unsendable.has(name) || (name === "te" && value !== "trailers")) {
    throw new TypeError(`The gRPC client cannot send "${name}: ${value}", which HTTP/2 does not allow.`);
  }
}

/** Converts the list to Node's format: a name with several values holds them all. */
export function asOutgoing(list: HeaderPairs): OutgoingHttpHeaders {
  const values = new Map<string, string[]>();
  for (const [name, value] of list) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
}
