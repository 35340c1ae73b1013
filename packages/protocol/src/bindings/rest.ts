import { A2AError, type ErrorColumn, errorDetails } from "../errors.ts";
import { messages } from "../generated/fields.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { type Operation, operations } from "../operations.ts";

/** HTTP+JSON (§11): each operation has a verb and a path. Its request is spread over path, query and body. */
interface Route {
  readonly operation: Operation;
  readonly verb: "GET" | "POST" | "DELETE";
  /** literal segments; `{name}` is a member of the request */
  readonly path: readonly string[];
  /** the custom verb after the last segment: `/tasks/{id}:cancel` */
  readonly action?: string;
}

function route(operation: Operation, verb: Route["verb"], written: string): Route {
  const [path = "", action] = written.split(":");
  return { operation, verb, path: path.split("/"), ...(action !== undefined && { action }) };
}

/**
 * Routes with an action come first: `/tasks/x:cancel` never means a task named "x:cancel" (that colon is sent as %3A).
 */
export const routes: readonly Route[] = [
  route("SendMessage", "POST", "message:send"),
  route("SendStreamingMessage", "POST", "message:stream"),
  route("CancelTask", "POST", "tasks/{id}:cancel"),
  route("SubscribeToTask", "POST", "tasks/{id}:subscribe"),
  // The specification says POST, the .proto says GET (AMB-04). We serve both and send POST.
  route("SubscribeToTask", "GET", "tasks/{id}:subscribe"),
  route("GetTask", "GET", "tasks/{id}"),
  route("ListTasks", "GET", "tasks"),
  route("CreateTaskPushNotificationConfig", "POST", "tasks/{taskId}/pushNotificationConfigs"),
  route("GetTaskPushNotificationConfig", "GET", "tasks/{taskId}/pushNotificationConfigs/{id}"),
  route("ListTaskPushNotificationConfigs", "GET", "tasks/{taskId}/pushNotificationConfigs"),
  route("DeleteTaskPushNotificationConfig", "DELETE", "tasks/{taskId}/pushNotificationConfigs/{id}"),
  route("GetExtendedAgentCard", "GET", "extendedAgentCard"),
];

export type RouteMatch =
  | { operation: Operation; members: Record<string, string>; tenant?: string }
  /** the path exists, but not with this verb */
  | { allowed: string[] };

/** Finds the operation for a path below an agent (`/tasks/x:cancel`, optionally preceded by a tenant). */
export function matchRoute(verb: string, path: string): RouteMatch | undefined {
  const segments = path.split("/").slice(1);
  const direct = matchSegments(verb, segments);
  if (direct || segments.length < 2) return direct;
  const [tenant, ...rest] = segments;
  if (tenant === "") return undefined;
  const match = matchSegments(verb, rest);
  if (!match || "allowed" in match) return match;
  return { ...match, tenant: decodeSegment(tenant!) };
}

function matchSegments(verb: string, segments: readonly string[]): RouteMatch | undefined {
  const allowed: string[] = [];
  let named = false;
  for (const route of routes) {
    if (named && route.action === undefined) break;
    const members = fit(route, segments);
    if (!members) continue;
    if (route.verb === verb) return { operation: route.operation, members };
    allowed.push(route.verb);
    named ||= route.action !== undefined;
  }
  return allowed.length ? { allowed } : undefined;
}

function fit(route: Route, segments: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== route.path.length) return undefined;
  const members: Record<string, string> = {};
  for (let i = 0; i < segments.length; i++) {
    const step = route.path[i]!;
    let segment = segments[i]!;
    if (i === segments.length - 1 && route.action !== undefined) {
      if (!segment.endsWith(`:${route.action}`)) return undefined;
      segment = segment.slice(0, -route.action.length - 1);
    }
    if (!step.startsWith("{")) {
      if (segment !== step) return undefined;
    } else if (segment === "") return undefined;
    else members[step.slice(1, -1)] = segment;
  }
  for (const name in members) members[name] = decodeSegment(members[name]!);
  return members;
}

export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new A2AError("InvalidParams", "The path holds a broken percent-encoding", { cause });
  }
}

/**
 * Reads the request members from a query string. Numbers stay text: the tolerant reader converts decimal strings, and
 * the schema rejects the rest. Booleans are `true` and `false`.
 */
export function readQuery(operation: Operation, query: string): JsonObject {
  const result: JsonObject = {};
  if (query === "") return result;
  const fields = messages[operations[operation].request];
  for (const pair of query.split("&")) {
    const at = pair.indexOf("=");
    const name = decodeQuery(at < 0 ? pair : pair.slice(0, at));
    const value = decodeQuery(at < 0 ? "" : pair.slice(at + 1));
    const field = fields.find((candidate) => candidate.json === name || candidate.proto === name);
    if (!field || value === "") continue;
    if (field.kind === "bool" && (value === "true" || value === "false")) result[field.json] = value === "true";
    else result[field.json] = value;
  }
  return result;
}

function decodeQuery(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new A2AError("InvalidParams", "The query holds a broken percent-encoding", { cause });
  }
}

export interface RestRequest {
  readonly verb: string;
  /** below the interface's URL, query included */
  readonly target: string;
  readonly body?: JsonObject;
}

/** Builds a request as our clients send it. Path members are removed from the body; GET and DELETE use the query. */
export function writeRestRequest(operation: Operation, request: JsonObject): RestRequest {
  const route = routes.find((candidate) => candidate.operation === operation)!;
  const rest: JsonObject = { ...request };
  const tenant = typeof rest["tenant"] === "string" && rest["tenant"] !== "" ? rest["tenant"] : undefined;
  delete rest["tenant"];
  const path = route.path.map((step) => {
    if (!step.startsWith("{")) return step;
    const name = step.slice(1, -1);
    const value = String(rest[name] ?? "");
    delete rest[name];
    return encodeURIComponent(value);
  });
  const base = `/${[...(tenant === undefined ? [] : [encodeURIComponent(tenant)]), ...path].join("/")}`;
  const target = route.action === undefined ? base : `${base}:${route.action}`;
  if (route.verb === "POST") {
    return { verb: route.verb, target, body: tenant === undefined ? rest : { tenant, ...rest } };
  }
  const query = Object.entries(rest).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return { verb: route.verb, target: query.length ? `${target}?${query.join("&")}` : target };
}

/** Writes the error body of §11.6: google.rpc.Status in an `error` wrapper, with the HTTP status as its code. */
export function writeRestError(error: A2AError, column?: ErrorColumn): string {
  const { http, grpc } = error.numbers(column);
  return JSON.stringify({
    error: { code: http, status: grpc, message: error.message, details: errorDetails(error) },
  });
}

export interface RestFailure {
  readonly code: number;
  readonly status?: string;
  readonly message: string;
  readonly details: JsonValue[];
}

/** Reads an error body. Returns undefined if it does not have the shape of §11.6. */
export function readRestError(json: JsonValue): RestFailure | undefined {
  if (!isObject(json) || !isObject(json["error"])) return undefined;
  const { code, status, message, details } = json["error"];
  if (typeof code !== "number" || typeof message !== "string") return undefined;
  return {
    code,
    message,
    details: Array.isArray(details) ? (details as JsonValue[]) : [],
    ...(typeof status === "string" ? { status } : {}),
  };
}
