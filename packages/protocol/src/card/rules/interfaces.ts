import { isLoopback } from "../../loopback.ts";
import { type CardFinding, finding, quote } from "../finding.ts";
import type { CardInterface } from "../interfaces.ts";
import { isHttpUrl, isUnspecified, isUri, parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Checks whether clients can call each declared interface. */
export const interfaces: CardRule = function* (card) {
  for (const entry of card.interfaces) {
    yield* bindingName(entry);
    if (entry.binding === "GRPC") yield* grpcAddress(entry);
    else if (entry.binding === "JSONRPC" || entry.binding === "HTTP+JSON") yield* httpAddress(entry);
    else if (!isUri(entry.url)) yield customAddress(entry);
  }
};

const place = ({ path }: CardInterface): string => `${path}.url`;

const core: Record<string, string> = {
  jsonrpc: "JSONRPC",
  jsonrpc20: "JSONRPC",
  jsonrpc2: "JSONRPC",
  grpc: "GRPC",
  httpjson: "HTTP+JSON",
  rest: "HTTP+JSON",
  http: "HTTP+JSON",
};

/** Returns the path of the member that names the binding, which depends on the version. */
function bindingPlace({ path }: CardInterface): string {
  if (path === "$") return "$.preferredTransport";
  return path.startsWith("$.additionalInterfaces") ? `${path}.transport` : `${path}.protocolBinding`;
}

function* bindingName(entry: CardInterface): Generator<CardFinding> {
  const { binding } = entry;
  if (Object.values(core).includes(binding) || binding === "" || isUri(binding)) return;
  const meant = core[binding.toLowerCase().replace(/[^a-z\d]/g, "")];
  yield finding("warning", meant ? "misspelt-binding" : "custom-binding-no-uri", bindingPlace(entry), {
    message: meant
      ? `is ${quote(binding)}; clients that look for ${quote(meant)} will not choose it`
      : `is ${quote(binding)}; a custom binding is identified by a URI`,
    fix: meant ? `Spell it ${meant}.` : "Use JSONRPC, GRPC, HTTP+JSON, or a URI that describes the custom binding.",
    rule: meant ? "CARD-012" : "BIND-009",
  });
}

function* httpAddress(entry: CardInterface): Generator<CardFinding> {
  const url = parseUrl(entry.url);
  if (!url || !isHttpUrl(entry.url)) {
    yield {
      level: "error",
      code: "no-http-url",
      path: place(entry),
      message: `is ${quote(entry.url)}; ${entry.binding} needs an absolute http(s) URL`,
      fix: "Write the `url` of the interface with scheme and host, as in https://agent.example/a2a.",
      rule: "CARD-014",
    };
  } else if (isUnspecified(url.host)) {
    yield finding("warning", "unspecified-address", place(entry), {
      message: `is ${quote(entry.url)}: ${url.host} is a listening address; clients cannot call it`,
      fix: "Publish the host name that clients use.",
      rule: "CARD-014",
    });
  } else if (url.scheme === "http" && !isLoopback(url.host)) {
    yield finding("warning", "plain-http", place(entry), {
      message: `is ${quote(entry.url)}, plain http; production agents must use https`,
      fix: "Serve the interface over TLS and publish its https URL.",
      rule: "CARD-014",
    });
  }
}

const hostPort = /^(?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+):\d{1,5}$/i;

/** 1.0.1 requires `host:port`. Earlier texts wanted an https URL, and gRPC resolvers write dns:///. */
function* grpcAddress(entry: CardInterface): Generator<CardFinding> {
  if (hostPort.test(entry.url)) return;
  const known = parseUrl(entry.url)?.scheme === "https" || /^dns:\/{0,3}\S+$/.test(entry.url);
  yield finding(known ? "info" : "warning", "grpc-address", place(entry), {
    message: `is ${quote(entry.url)}; a GRPC interface should be host:port`,
    fix: "Write the host name and the port, as in agent.example:443.",
    rule: "CARD-015",
  });
}

const customAddress = (entry: CardInterface): CardFinding =>
  finding("warning", "custom-address", place(entry), {
    message: `is ${quote(entry.url)}; a custom binding needs its full endpoint URL`,
    fix: "Write the absolute URL.",
    rule: "BIND-009",
  });
