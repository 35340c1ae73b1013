import {
  A2AError,
  defined,
  isObject,
  type JsonObject,
  type JsonValue,
  jsonIn,
  matchRoute,
  matchRouteV03,
  type Operation,
  type RouteMatch,
  readQuery,
  readQueryV03,
  versionHeader,
} from "@assay/protocol";
import { grpcV03, grpcV10 } from "@assay/protocol/grpc";
import {
  dialectFor,
  type Exchange,
  isGrpcCall,
  isSameHost,
  openReplyReader,
  type PeerInterface,
  type Reply,
} from "@assay/wire";
import { Translation } from "../runner/target/translation.ts";
import type { AgentOffer, ClientCall, ClientRequest } from "./client-request.ts";

/** Reads a request of a client. It never throws for invalid requests. */
export type RequestReader = (exchange: Exchange) => ClientRequest;

type ReplyReader = (operation: Operation, exchange: Exchange) => Reply;

/** `listed` returns true for the interfaces that the card names (default: all). */
export async function createRequestReader(
  agent: AgentOffer,
  listed: readonly PeerInterface[] = agent.interfaces,
): Promise<RequestReader> {
  const readers = new Map<PeerInterface, ReplyReader>();
  for (const on of agent.interfaces) readers.set(on, await openReplyReader(on));
  return (exchange) => {
    const isGrpc = isGrpcCall(exchange);
    if (!isGrpc && isCardFetch(exchange, agent)) return { is: "card", exchange };
    if (!isGrpc && pathOf(exchange.http.request.url).endsWith(keysPath)) return { is: "keys", exchange };
    const call = isGrpc ? overGrpc(exchange, agent) : overHttp(exchange, agent, listed);
    if ("because" in call) return { is: "stray", exchange, because: call.because };
    const reply: Reply = call.operation
      ? translated(call.on, call.operation, readers.get(call.on)!(call.operation, exchange))
      : { is: "malformed", because: "the request names no operation" };
    return { is: "call", exchange, ...call, reply };
  };
}

/** Paths of cards in all versions, below any prefix. */
const cardPath = /\/\.well-known\/agent(?:-card)?\.json$/;

/** The customary path of published keys. */
const keysPath = "/.well-known/jwks.json";

function isCardFetch({ http: { request } }: Exchange, { cardUrl }: AgentOffer): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const path = pathOf(request.url);
  return cardPath.test(path) || path === pathOf(cardUrl);
}

/** A call, or the reason why the request is not a call. */
type Read = Omit<ClientCall, "is" | "exchange" | "reply"> | { readonly because: string };

function overHttp(exchange: Exchange, { interfaces }: AgentOffer, listed: readonly PeerInterface[]): Read {
  const { url, method, body: bytes } = exchange.http.request;
  const body = jsonIn(bytes);
  const rpc = interfaces.filter((on) => on.binding === "JSONRPC" && belowOf(on, url) === "");
  if (rpc.length && method === "POST")
    return isCutShort(exchange)
      ? { because: "Assay answered a call before its body had arrived" }
      : jsonRpcCall(rpc, exchange, body);
  const rest = interfaces.filter((on) => on.binding === "HTTP+JSON" && belowOf(on, url) !== undefined);
  return rest.length
    ? restCall(rest, listed, exchange, body)
    : { because: `the card has no interface at ${method} ${pathOf(url)}` };
}

/** Returns true if the request ended before its body was complete: an agent may reject it by its headers. */
function isCutShort({ http: { request } }: Exchange): boolean {
  const named = (name: string): string | undefined =>
    request.headers.find(([each]) => each.toLowerCase() === name)?.[1].trim();
  const isChunked = named("transfer-encoding")?.toLowerCase() === "chunked";
  return request.body.length < Number(named("content-length") ?? 0) || (isChunked && request.body.length === 0);
}

function jsonRpcCall(places: readonly PeerInterface[], exchange: Exchange, body: JsonValue | undefined): Read {
  const envelope = isObject(body) ? (body as JsonObject) : {};
  const { method: name, params } = envelope;
  const method = typeof name === "string" ? name : "";
  const asked = writtenVersion(exchange);
  // If only one of the versions at this address has the method, the client means that version.
  const known = places.filter(({ binding, dialect }) => dialectFor(binding, dialect)?.operationOf(method));
  const candidates = known.length ? known : places;
  const version = candidates.find(({ dialect }) => dialect === asked)?.dialect ?? candidates[0]!.dialect;
  const written = params === undefined || params === null ? {} : isObject(params) ? (params as JsonObject) : undefined;
  const on = byTenant(
    candidates.filter(({ dialect }) => dialect === version),
    written?.["tenant"],
  );
  const operation = dialectFor(on.binding, version)?.operationOf(method);
  return call({ on, method, operation, body, written });
}

function restCall(
  places: readonly PeerInterface[],
  listed: readonly PeerInterface[],
  exchange: Exchange,
  body: JsonValue | undefined,
): Read {
  const { url, method: verb } = exchange.http.request;
  const asked = writtenVersion(exchange);
  // A request without a version, at an address of several versions, is one of 0.3 if its path is.
  const isMeant = (on: PeerInterface): boolean =>
    asked === undefined
      ? on.dialect === "0.3" && listed.includes(on) && /^\/v1\//.test(belowOf(on, url)!)
      : on.dialect === asked;
  const ways = places.map((on) => ({ on, below: belowOf(on, url)!, match: routed(on, verb, belowOf(on, url)!) }));
  const known = ways.filter(({ match }) => match && "operation" in match);
  const [first] = (known.length ? known : ways).toSorted((a, b) => Number(isMeant(b.on)) - Number(isMeant(a.on)));
  const { on, below, match } = first!;
  const method = `${verb} ${below || "/"}`;
  if (!match || !("operation" in match)) return call({ on, method, body });
  const { operation, members, tenant } = match;
  if (isCutShort(exchange)) return call({ on, method, operation });
  const query = new URL(url).search.slice(1);
  const given = verb === "POST" ? (isObject(body) ? (body as JsonObject) : {}) : queried(on, operation, query);
  const written = { ...given, ...(tenant !== undefined && { tenant }), ...members };
  const same = known.filter((way) => way.on.dialect === on.dialect).map((way) => way.on);
  return call({ on: byTenant(same, written["tenant"]), method, operation, body, written });
}

function routed({ dialect }: PeerInterface, verb: string, below: string): RouteMatch | undefined {
  try {
    // 0.3 starts every path with /v1, so this is not a tenant of that name.
    return dialect === "1.0" ? matchRoute(verb, below.replace(/^\/v1(?=\/)/, "")) : matchRouteV03(verb, below);
  } catch (error) {
    if (error instanceof A2AError) return undefined;
    throw error;
  }
}

function queried({ dialect }: PeerInterface, operation: Operation, query: string): JsonObject {
  try {
    return dialect === "1.0" ? readQuery(operation, query) : readQueryV03(operation, query);
  } catch (error) {
    if (error instanceof A2AError) return {};
    throw error;
  }
}

function overGrpc({ http, transport }: Exchange, { interfaces }: AgentOffer): Read {
  const method = pathOf(http.request.url);
  const service = [grpcV10, grpcV03].find(({ name }) => method.startsWith(`/${name}/`));
  const places = interfaces.filter(
    (on) => on.binding === "GRPC" && (!service || on.dialect === service.dialect.version),
  );
  if (!places.length) return { because: `the card has no gRPC interface for ${method}` };
  const operation = service?.operationAt(method);
  if (!service || !operation) return call({ on: places[0]!, method });
  let written: JsonObject | undefined;
  try {
    // The first message is the request, after the five bytes of its frame. An incomplete one is ignored.
    if (isWhole(transport.sent)) written = service.readRequest(operation, transport.sent.subarray(5)) as JsonObject;
  } catch {
    // An invalid message has no parameters.
  }
  return call({ on: byTenant(places, written?.["tenant"]), method, operation, body: written, written });
}

/** Returns true if a gRPC frame is complete and not compressed. */
const isWhole = (bytes: Uint8Array): boolean =>
  bytes.length >= 5 && bytes[0] === 0 && bytes.length >= 5 + Buffer.from(bytes).readUInt32BE(1);

/** Returns the interface of the named tenant if several share an address, or else the one that the card prefers. */
const byTenant = (places: readonly PeerInterface[], tenant: unknown): PeerInterface =>
  places.find((on) => (on.tenant ?? "") === (tenant ?? "")) ?? places[0]!;

function call({
  on,
  method,
  operation,
  body,
  written,
}: {
  on: PeerInterface;
  method: string;
  operation?: Operation | undefined;
  body?: JsonValue | undefined;
  written?: JsonObject | undefined;
}): Exclude<Read, { because: string }> {
  const params = operation && written && meantBy(on, operation, written);
  return {
    on,
    method,
    ...defined({ operation, body, written, params }),
  };
}

/** Translates a request into terms of 1.0. */
function meantBy(
  { binding, dialect }: PeerInterface,
  operation: Operation,
  written: JsonObject,
): JsonObject | undefined {
  if (dialect === "1.0") return written;
  return dialectFor(binding, dialect)?.readRequest(operation, written).value as JsonObject | undefined;
}

const translated = (on: PeerInterface, operation: Operation, said: Reply): Reply =>
  Translation.of(on)?.read(operation, said) ?? said;

/** Returns the version that a request names in a header or query parameter, as written. */
function writtenVersion({ http: { request } }: Exchange): string | undefined {
  const header = request.headers.find(([name]) => name.toLowerCase() === versionHeader.toLowerCase());
  return header?.[1].trim() ?? queryVersion(request.url);
}

/** Returns the version in the query, if there is one. */
export function queryVersion(url: string): string | undefined {
  const found = [...new URL(url).searchParams].find(([name]) => name.toLowerCase() === versionHeader.toLowerCase());
  return found?.[1].trim();
}

/** Returns the part of an address below an interface: "" for its own address, undefined for an address elsewhere. */
function belowOf({ url }: PeerInterface, address: string): string | undefined {
  if (!isSameHost(url, address, { port: true })) return undefined;
  const [own, asked] = [pathOf(url).replace(/\/+$/, ""), pathOf(address)];
  if (asked === own || asked === `${own}/`) return "";
  return asked.startsWith(`${own}/`) ? asked.slice(own.length) : undefined;
}

const pathOf = (url: string): string => new URL(url).pathname;
