import { errorsOf } from "../dialects/v0.3/error-words.ts";
import { pushConfigName, splitPushConfigName, taskName } from "../dialects/v0.3-proto/names.ts";
import { A2AError, type ErrorName, type ErrorRow, errorTable, type GrpcStatus } from "../errors.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Operation } from "../operations.ts";
import { type RestRequest, type RouteMatch, readQuery } from "./rest.ts";

/**
 * HTTP+JSON of 0.2.6 and 0.3: every path begins with `/v1`, a task is named by a resource name. Bodies are ProtoJSON
 * of `a2a.v1` (dialects/v0.3-proto); the text also lists `GET /v1/tasks`, which no model describes.
 */
interface Route {
  readonly operation: Operation;
  readonly verb: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** the member of the request that carries the resource name of the path */
  readonly member?: "name" | "parent";
}

/** Routes with an action stand first: `/v1/tasks/x:cancel` is never a task called "x:cancel". */
export const routesV03: readonly Route[] = [
  { operation: "SendMessage", verb: "POST", path: "/v1/message:send" },
  { operation: "SendStreamingMessage", verb: "POST", path: "/v1/message:stream" },
  { operation: "CancelTask", verb: "POST", path: "/v1/tasks/*:cancel", member: "name" },
  // The text says POST, the proto GET, and Python 0.3 serves only that: both are served, POST is what we send first.
  { operation: "SubscribeToTask", verb: "POST", path: "/v1/tasks/*:subscribe", member: "name" },
  { operation: "SubscribeToTask", verb: "GET", path: "/v1/tasks/*:subscribe", member: "name" },
  { operation: "GetTask", verb: "GET", path: "/v1/tasks/*", member: "name" },
  {
    operation: "CreateTaskPushNotificationConfig",
    verb: "POST",
    path: "/v1/tasks/*/pushNotificationConfigs",
    member: "parent",
  },
  // The .proto of 0.3.0 forgot an "s" here, and code generated from it sends this.
  {
    operation: "CreateTaskPushNotificationConfig",
    verb: "POST",
    path: "/v1/task/*/pushNotificationConfigs",
    member: "parent",
  },
  {
    operation: "ListTaskPushNotificationConfigs",
    verb: "GET",
    path: "/v1/tasks/*/pushNotificationConfigs",
    member: "parent",
  },
  {
    operation: "GetTaskPushNotificationConfig",
    verb: "GET",
    path: "/v1/tasks/*/pushNotificationConfigs/*",
    member: "name",
  },
  {
    operation: "DeleteTaskPushNotificationConfig",
    verb: "DELETE",
    path: "/v1/tasks/*/pushNotificationConfigs/*",
    member: "name",
  },
  { operation: "GetExtendedAgentCard", verb: "GET", path: "/v1/card" },
];

const patterns = new Map(routesV03.map((route) => [route, new RegExp(`^${route.path.replaceAll("*", "([^/]+)")}$`)]));

/** Finds the operation behind a path below an agent, its `/v1` included. There are no tenants. */
export function matchRouteV03(verb: string, path: string): RouteMatch | undefined {
  const fitting = routesV03.flatMap((route) => {
    const match = patterns.get(route)!.exec(path);
    return match ? [{ route, ids: match.slice(1) }] : [];
  });
  // A path that ends in an action is that action's, whatever the verb.
  const actions = fitting.filter(({ route }) => route.path.includes(":"));
  const candidates = actions.length ? actions : fitting;
  const found = candidates.find(({ route }) => route.verb === verb);
  if (!found) return candidates.length ? { allowed: candidates.map(({ route }) => route.verb) } : undefined;
  const { operation, member } = found.route;
  return { operation, members: member ? { [member]: resourceName(found.ids.map(decode)) } : {} };
}

const resourceName = ([task, config]: string[]): string =>
  config === undefined ? taskName(task!) : pushConfigName(task!, config);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new A2AError("InvalidParams", "The path holds a broken percent-encoding", { cause });
  }
}

/** What a query may say in 0.3; numbers stay text, which the dialect reads. JS also sends `history_length`. */
const queried = ["historyLength", "pageSize", "pageToken"];

export const readQueryV03 = (operation: Operation, query: string): JsonObject =>
  Object.fromEntries(Object.entries(readQuery(operation, query)).filter(([name]) => queried.includes(name)));

/** A request as our clients write it, from what the dialect wrote: the resource name moves into the path. */
export function writeRestRequestV03(operation: Operation, request: JsonObject): RestRequest {
  const { path, verb, member } = routesV03.find((route) => route.operation === operation)!;
  const { name: _name, parent: _parent, ...rest } = request;
  const [task, config = ""] = splitPushConfigName(member ? String(request[member]) : "");
  const ids = [task.replace(/^tasks\//, ""), config];
  const target = path.replace(/\*/g, () => encodeURIComponent(ids.shift()!));
  // The body of a create repeats its parent, which some servers demand; the others ignore it.
  if (verb === "POST") return { verb, target, body: member === "parent" ? request : rest };
  const query = Object.entries(rest).map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
  return { verb, target: query.length ? `${target}?${query.join("&")}` : target };
}

/** No table exists for 0.3: these are the numbers of Python and Java; the others are those of 1.0. */
const statuses: Partial<Record<ErrorName, number>> = {
  TaskNotFound: 404,
  TaskNotCancelable: 409,
  PushNotificationNotSupported: 501,
  UnsupportedOperation: 501,
  ContentTypeNotSupported: 415,
  InvalidAgentResponse: 502,
  ExtendedAgentCardNotConfigured: 404,
};

/** What other servers of 0.3 answer with instead (docs/spec/dialects.md §5.3). */
const otherStatuses: Partial<Record<ErrorName, readonly number[]>> = {
  TaskNotCancelable: [400],
  PushNotificationNotSupported: [400],
  UnsupportedOperation: [400],
  ContentTypeNotSupported: [400],
  InvalidParams: [422],
  InvalidRequest: [422],
  ExtendedAgentCardNotConfigured: [400],
};

/** The text of 0.3 asks for "appropriate" statuses: these are those of its SDKs, and what 1.0 says in either of its tables. */
export function httpStatusesV03(name: ErrorName): readonly number[] {
  const { http, before }: ErrorRow = errorTable[name];
  const all = [statuses[name] ?? http, http, before?.http, ...(otherStatuses[name] ?? [])];
  return [...new Set(all.filter((status) => status !== undefined))];
}

/** The same over gRPC. */
export function grpcStatusesV03(name: ErrorName): readonly GrpcStatus[] {
  const { grpc, before }: ErrorRow = errorTable[name];
  return before?.grpc === undefined ? [grpc] : [grpc, before.grpc];
}

const errors = errorsOf("0.3");

export const restStatusV03 = ({ kind }: A2AError): number => statuses[kind] ?? errorTable[kind].http;

/** The body of JS, `{code, message, data}`; Python clients read its `message`. */
export const writeRestErrorV03 = (error: A2AError): string => JSON.stringify(errors.writeError(error));

/**
 * The error in any of the bodies that servers of 0.3 send: JS's, Python's bare `{message}` or its framework's
 * `{detail}`, Java's with a class name, and the 1.0 body of compatibility layers. Undefined: none of them.
 */
export function readRestErrorV03(status: number, json: JsonValue): A2AError | undefined {
  if (!isObject(json)) return undefined;
  const inner = isObject(json["error"]) ? json["error"] : json;
  const { code, data = inner["details"] } = inner;
  const message = inner["message"] ?? inner["detail"];
  if (typeof message !== "string") return undefined;
  // A code of JSON-RPC is negative; the 1.0 body repeats the status there and has its reason in the details.
  const known = typeof code === "number" && code < 0;
  const told = data === undefined ? {} : { data: data as JsonValue };
  const read = errors.readError({ code: known ? code : errorTable.Internal.code, message, ...told });
  return known || read.kind !== "Internal" ? read : new A2AError(kindOf(status, json["error"]), message);
}

/** Without a code, the class name says it, and else the status: the first error that has it. */
function kindOf(status: number, className: unknown): ErrorName {
  const names = Object.keys(errorTable) as ErrorName[];
  const named = names.find((name) => typeof className === "string" && className.includes(`${name}Error`));
  return named ?? names.find((name) => (statuses[name] ?? errorTable[name].http) === status) ?? "Internal";
}
