import {
  type DialectVersion,
  isObject,
  type JsonObject,
  matchRoute,
  matchRouteV03,
  type Operation,
  operations,
  parseJson,
  readQuery,
  readQueryV03,
} from "@assay/protocol";
import { grpcV03, grpcV10 } from "@assay/protocol/grpc";
import { dialectFor } from "@assay/wire";
import type { BindingName } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";

/** Returns the recorded request of an operation in the format of 1.0; undefined if it cannot be read. */
export function requestOnWire(exchange: MatrixExchange): JsonObject | undefined {
  const { operation, interface: on } = exchange;
  const written = requestAsWritten(exchange);
  if (!written || !on || on.dialect === "1.0") return written;
  const dialect = dialectFor(on.binding as BindingName, on.dialect as DialectVersion);
  return readable(() => dialect?.readRequest(operation as Operation, written).value as JsonObject | undefined);
}

/** Returns the request in the format of its own version, with the names that the client used. */
export function requestAsWritten({ operation, interface: on, entry }: MatrixExchange): JsonObject | undefined {
  if (!on || operation === undefined || !isOperation(operation)) return undefined;
  return readable(() => readers[on.binding as BindingName]?.(operation, entry, on));
}

/** Ignores unreadable requests: the traffic checks report them. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type Entry = MatrixExchange["entry"];
type On = NonNullable<MatrixExchange["interface"]>;

const isOperation = (name: string): name is Operation => Object.hasOwn(operations, name);

const readers: Record<BindingName, (operation: Operation, entry: Entry, on: On) => JsonObject | undefined> = {
  JSONRPC: (_, entry) => {
    const { params } = bodyOf(entry) ?? {};
    return params === undefined ? {} : isObject(params) ? (params as JsonObject) : undefined;
  },
  "HTTP+JSON": (operation, entry, on) => {
    const asked = new URL(entry.request.url);
    const below = asked.pathname.slice(new URL(on.url).pathname.replace(/\/+$/, "").length);
    const verb = entry.request.method;
    const isNew = on.dialect === "1.0";
    const match = isNew ? matchRoute(verb, below.replace(/^\/v1(?=\/)/, "")) : matchRouteV03(verb, below);
    if (!match || !("operation" in match)) return undefined;
    const query = asked.search.slice(1);
    const given =
      verb === "POST" ? bodyOf(entry) : isNew ? readQuery(operation, query) : readQueryV03(operation, query);
    return { ...given, ...match.members };
  },
  GRPC: (operation, entry, { dialect }) => {
    const { postData } = entry.request;
    if (!postData) return undefined;
    const bytes = Buffer.from(postData.text, postData._encoding ?? "utf8");
    return (dialect === "1.0" ? grpcV10 : grpcV03).readRequest(operation, bytes.subarray(5)) as JsonObject;
  },
};

function bodyOf({ request: { postData } }: Entry): JsonObject | undefined {
  const body = postData && postData._encoding === undefined ? parseJson(postData.text) : undefined;
  return isObject(body) ? (body as JsonObject) : undefined;
}
