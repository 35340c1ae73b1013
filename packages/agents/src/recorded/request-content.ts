import { isObject, type JsonObject, type JsonValue, jsonIn } from "@assay/protocol";
import { grpcMessagesIn } from "@assay/protocol/grpc";

/** The parts of a request that are compared with recorded ones. */
export interface RequestContent {
  /** the request and its address: "POST /agent SendMessage", "GET /agent/v1/tasks/7?historyLength=0" */
  readonly asked: string;
  /** the parameters without values that every client generates */
  readonly params: string;
  /** for a message: its parts and its task, to compare only the words */
  readonly words: string | undefined;
  /** by lower-case name */
  readonly headers: ReadonlyMap<string, string>;
  /** the JSON-RPC id, for the response */
  readonly id: JsonValue | undefined;
  /** the task of the request, if any */
  readonly task: string | undefined;
}

export interface RawRequest {
  readonly method: string;
  /** with the query */
  readonly path: string;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: Uint8Array;
}

/** Message ids are new with every message. */
const madeUp = new Set(["messageId", "message_id"]);

export function contentOf({ method, path, headers, body }: RawRequest): RequestContent {
  const fields = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  const [pathname = "", search = ""] = path.split("?", 2);
  const parameters = new URLSearchParams(search);
  parameters.sort();
  const query = parameters.size ? `?${parameters}` : "";
  const isGrpc = fields.get("content-type")?.startsWith("application/grpc") === true;
  const json = isGrpc ? grpcMessagesIn(body, pathname, "request")?.[0] : jsonIn(body);
  const text = Buffer.from(body).toString("latin1");
  const rpc = !isGrpc && isObject(json) && "jsonrpc" in json ? (json as JsonObject) : undefined;
  const name = typeof rpc?.["method"] === "string" ? ` ${rpc["method"]}` : "";
  const params = rpc ? (rpc["params"] ?? null) : json;
  const tail = /\/tasks\/([^/:?]+)/.exec(pathname)?.[1];
  return {
    asked: `${method} ${pathname}${query}${name}`,
    params: params === undefined ? text : JSON.stringify(plain(params)),
    words: wordsOf(params),
    headers: fields,
    id: rpc?.["id"],
    task: taskOf(params) ?? (tail === undefined ? undefined : decoded(tail)),
  };
}

/** Returns invalid escapes unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Sorts members and removes generated values. */
function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject)
    .filter(([name]) => !madeUp.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)]));
}

function wordsOf(params: JsonValue | undefined): string | undefined {
  const message = isObject(params) ? params["message"] : undefined;
  if (!isObject(message)) return undefined;
  const { parts, content, taskId } = message as JsonObject;
  return JSON.stringify([plain(parts ?? content ?? null), taskId ?? null]);
}

function taskOf(params: JsonValue | undefined): string | undefined {
  if (!isObject(params)) return undefined;
  const { message, taskId, id } = params as JsonObject;
  const named = isObject(message) ? message["taskId"] : (taskId ?? id);
  return typeof named === "string" ? named : undefined;
}
