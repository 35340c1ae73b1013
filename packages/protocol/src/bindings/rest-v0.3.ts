import { errorsOf } from "../dialects/v0.3/error-words.ts";
import { pushConfigName, splitPushConfigName, taskName } from "../dialects/v0.3-proto/names.ts";
import { A2AError, type ErrorName, type ErrorRow, errorTable, type GrpcStatus } from "../errors.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Operation } from "../operations.ts";
import { decodeSegment, type RestRequest, type RouteMatch, readQuery } from "./rest.ts";

/**
 * HTTP+JSON of 0.2.6 and 0.3: every path begins with `/v1`, and a resource name identifies the task. Bodies are
 * ProtoJSON of `a2a.v1` (dialects/v0.3-proto). The specification also lists `GET /v1/tasks`, but no data model
 * describes it.
 */
interface Route {
  readonly operation: Operation;
  readonly verb: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** the request member that holds the resource name from the path */
  readonly member?: "name" | "parent";
}

const route = (operation: Operation, verb: Route["verb"], path: string, member?: Route["member"]): Route => ({
  operation,
  verb,
  path,
  ...(member && { member }),
});

/** Routes with an action come first: `/v1/tasks/x:cancel` never means a task named "x:cancel". */
export const routesV03: readonly Route[] = [
  route("SendMessage", "POST", "/v1/message:send"),
  route("SendStreamingMessage", "POST", "/v1/message:stream"),
  route("CancelTask", "POST", "/v1/tasks/*:cancel", "name"),
  // The specification says POST, the .proto says GET, and Python 0.3 serves only GET. We serve both and try POST first.
  route("SubscribeToTask", "POST", "/v1/tasks/*:subscribe", "name"),
  route("SubscribeToTask", "GET", "/v1/tasks/*:subscribe", "name"),
  route("GetTask", "GET", "/v1/tasks/*", "name"),
  route("CreateTaskPushNotificationConfig", "POST", "/v1/tasks/*/pushNotificationConfigs", "parent"),
  // The .proto of 0.3.0 is missing an "s" here, and code generated from it sends this path.
  route("CreateTaskPushNotificationConfig", "POST", "/v1/task/*/pushNotificationConfigs", "parent"),
  route("ListTaskPushNotificationConfigs", "GET", "/v1/tasks/*/pushNotificationConfigs", "parent"),
  route("GetTaskPushNotificationConfig", "GET", "/v1/tasks/*/pushNotificationConfigs/*", "name"),
  route("DeleteTaskPushNotificationConfig", "DELETE", "/v1/tasks/*/pushNotificationConfigs/*", "name"),
  route("GetExtendedAgentCard", "GET", "/v1/card"),
];

const patterns = new Map(routesV03.map((route) => [route, new RegExp(`^${route.path.replaceAll("*", "([^/]+)")}$`)]));

/** Finds the operation for a path below an agent, including its `/v1`. 0.3 has no tenants. */
export function matchRouteV03(verb: string, path: string): RouteMatch | undefined {
  const fitting = routesV03.flatMap((route) => {
    const match = patterns.get(route)!.exec(path);
    return match ? [{ route, ids: match.slice(1) }] : [];
  });
  // A path that ends in an action belongs to that action, whatever the verb.
  const actions = fitting.filter(({ route }) => route.path.includes(":"));
  const candidates = actions.length ? actions : fitting;
  const found = candidates.find(({ route }) => route.verb === verb);
  if (!found) return candidates.length ? { allowed: candidates.map(({ route }) => route.verb) } : undefined;
  const { operation, member } = found.route;
  return { operation, members: member ? { [member]: resourceName(found.ids.map(decodeSegment)) } : {} };
}

const resourceName = ([task, config]: string[]): string =>
  config === undefined ? taskName(task!) : pushConfigName(task!, config);

/** Query parameters allowed in 0.3. Numbers stay text for the dialect to read. JS also sends `history_length`. */
const queried = ["historyLength", "pageSize", "pageToken"];

export const readQueryV03 = (operation: Operation, query: string): JsonObject =>
  Object.fromEntries(Object.entries(readQuery(operation, query)).filter(([name]) => queried.includes(name)));

/** Builds a request as our clients send it: the resource name moves from the dialect's output into the path. */
export function writeRestRequestV03(operation: Operation, request: JsonObject): RestRequest {
  const { path, verb, member } = routesV03.find((route) => route.operation === operation)!;
  const { name: _name, parent: _parent, ...rest } = request;
  const [task, config = ""] = splitPushConfigName(member ? String(request[member]) : "");
  const ids = [task.replace(/^tasks\//, ""), config];
  const target = path.replace(/\*/g, () => encodeURIComponent(ids.shift()!));
  // The body of a create request repeats its parent: some servers require it, the others ignore it.
  if (verb === "POST") return { verb, target, body: member === "parent" ? request : rest };
  const query = Object.entries(rest).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return { verb, target: query.length ? `${target}?${query.join("&")}` : target };
}

/** HTTP statuses of Python and Java, because 0.3 has no table. Other errors use the statuses of 1.0. */
const statuses: Partial<Record<ErrorName, number>> = {
  TaskNotFound: 404,
  TaskNotCancelable: 409,
  PushNotificationNotSupported: 501,
  UnsupportedOperation: 501,
  ContentTypeNotSupported: 415,
  InvalidAgentResponse: 502,
  ExtendedAgentCardNotConfigured: 404,
};

/** Statuses that other 0.3 servers use instead (docs/spec/dialects.md §5.3). */
const otherStatuses: Partial<Record<ErrorName, readonly number[]>> = {
  TaskNotCancelable: [400],
  PushNotificationNotSupported: [400],
  UnsupportedOperation: [400],
  ContentTypeNotSupported: [400],
  InvalidParams: [422],
  InvalidRequest: [422],
  ExtendedAgentCardNotConfigured: [400],
};

/**
 * Accepted HTTP statuses for an error. 0.3 only asks for "appropriate" statuses, so this lists those of its SDKs and of
 * both 1.0 tables.
 */
export function httpStatusesV03(name: ErrorName): readonly number[] {
  const { http, before }: ErrorRow = errorTable[name];
  const all = [statuses[name] ?? http, http, before?.http, ...(otherStatuses[name] ?? [])];
  return [...new Set(all.filter((status) => status !== undefined))];
}

/** Accepted gRPC statuses for an error. */
export function grpcStatusesV03(name: ErrorName): readonly GrpcStatus[] {
  const { grpc, before }: ErrorRow = errorTable[name];
  return before?.grpc === undefined ? [grpc] : [grpc, before.grpc];
}

const errors = errorsOf("0.3");

export const restStatusV03 = ({ kind }: A2AError): number => statuses[kind] ?? errorTable[kind].http;

/** Writes the body that JS uses, `{code, message, data}`. Python clients read its `message`. */
export const writeRestErrorV03 = (error: A2AError): string => JSON.stringify(errors.writeError(error));

/**
 * Reads any error body that 0.3 servers send: that of JS, Python's bare `{message}` or its framework's `{detail}`,
 * Java's with a class name, and the 1.0 body of compatibility layers. Returns undefined for anything else.
 */
export function readRestErrorV03(status: number, json: JsonValue): A2AError | undefined {
  if (!isObject(json)) return undefined;
  const inner = isObject(json["error"]) ? json["error"] : json;
  const { code, data = inner["details"] } = inner;
  const message = inner["message"] ?? inner["detail"];
  if (typeof message !== "string") return undefined;
  // JSON-RPC codes are negative. The 1.0 body repeats the HTTP status as its code and has the reason in the details.
  const known = typeof code === "number" && code < 0;
  const told = data === undefined ? {} : { data: data as JsonValue };
  const read = errors.readError({ code: known ? code : errorTable.Internal.code, message, ...told });
  return known || read.kind !== "Internal" ? read : new A2AError(kindOf(status, json["error"]), message);
}

/** Without a code, the class name decides, otherwise the first error with this status. */
function kindOf(status: number, className: unknown): ErrorName {
  const names = Object.keys(errorTable) as ErrorName[];
  const named = names.find((name) => typeof className === "string" && className.includes(`${name}Error`));
  return named ?? names.find((name) => (statuses[name] ?? errorTable[name].http) === status) ?? "Internal";
}
