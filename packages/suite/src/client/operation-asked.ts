import { A2AError, dialects, jsonObjectIn, matchRoute, matchRouteV03, type Operation } from "@assay/protocol";
import { grpcMethodAt } from "@assay/protocol/grpc";
import { dialectFor, type Exchange } from "@assay/wire";
import type { InterfaceName } from "../report/result.ts";

/** The operation of a request and its interface; undefined if it is not an A2A call, such as a request for the card. */
export function operationAsked({
  url,
  method,
  body,
  headers,
}: Pick<Exchange["http"]["request"], "url" | "method" | "body" | "headers">):
  | { readonly operation: Operation; readonly interface: InterfaceName }
  | undefined {
  const { origin, pathname } = new URL(url);
  const named = (wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const version = named("a2a-version");
  if (/^application\/grpc/i.test(named("content-type") ?? "")) {
    const call = grpcMethodAt(url);
    const dialect = call?.service.dialect.version ?? "";
    return call && { operation: call.operation, interface: { url: origin, dialect, binding: "GRPC" } };
  }
  const name = rpcMethodIn(body);
  if (name !== undefined) {
    const newestFirst = dialects.toReversed();
    const inOrder = [...newestFirst.filter((dialect) => dialect === version), ...newestFirst];
    const dialect = inOrder.find((each) => dialectFor("JSONRPC", each)?.operationOf(name));
    const operation = dialect && dialectFor("JSONRPC", dialect)?.operationOf(name);
    return operation && { operation, interface: { url: `${origin}${pathname}`, dialect, binding: "JSONRPC" } };
  }
  // The route follows the path of the agent itself, which may be any.
  const segments = pathname.split("/");
  for (let from = 1; from < segments.length; from++) {
    const route = `/${segments.slice(from).join("/")}`;
    for (const [dialect, match] of [
      ["1.0", matchRoute],
      ["0.3", matchRouteV03],
    ] as const) {
      const found = tried(() => match(method, route));
      // What looks like a tenant before the route is the last part of that path.
      if (!found || "allowed" in found || "tenant" in found) continue;
      const base = `${origin}${segments.slice(0, from).join("/")}`;
      return { operation: found.operation, interface: { url: base, dialect, binding: "HTTP+JSON" } };
    }
  }
  return undefined;
}

/** A path with a broken percent-encoding matches no route. */
function tried<T>(match: () => T): T | undefined {
  try {
    return match();
  } catch (error) {
    if (error instanceof A2AError) return undefined;
    throw error;
  }
}

function rpcMethodIn(body: Uint8Array): string | undefined {
  const json = jsonObjectIn(body);
  const method = json && "jsonrpc" in json ? json["method"] : undefined;
  return typeof method === "string" ? method : undefined;
}
