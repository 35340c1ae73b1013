import { type ErrorName, errorTable, type GrpcStatus, type JsonValue, jsonIn } from "@assay/protocol";
import type { Exchange, Failure, PeerError, PeerInterface, Reply } from "@assay/wire";

/** The response to a step of any kind. */
export interface StepAnswer {
  readonly exchange: Exchange;
  /** of HTTP; 200 for a gRPC call that ended with OK */
  readonly status: number | undefined;
  /** the value for expectations: the protocol object, or the body of a raw step */
  readonly root: JsonValue | undefined;
  readonly error?: PeerError;
  /** the events for expectations */
  readonly events?: readonly JsonValue[];
  /** neither a result nor an error */
  readonly trouble?: Trouble;
  /** a short description, for the evidence */
  readonly saw: string;
  readonly sent: string;
  /** the request of an operation as JSON */
  readonly message?: string;
}

export interface Trouble {
  readonly says: string;
  /** the agent's is a failure, the network's and Assay's an error; slowness is neither */
  readonly whose: "agent" | "neither" | "ours";
}

const whose: Readonly<Record<Failure["code"], Trouble["whose"]>> = {
  "refused-by-guard": "ours",
  dns: "ours",
  "connect-refused": "ours",
  unreachable: "ours",
  "closed-at-once": "ours",
  tls: "ours",
  proxy: "ours",
  "timeout-connect": "ours",
  "timeout-idle": "neither",
  "timeout-total": "neither",
  reset: "agent",
  "closed-early": "agent",
  malformed: "agent",
  "too-large": "agent",
  "too-many-events": "agent",
  aborted: "ours",
  unsupported: "ours",
  unknown: "ours",
};

const troubleOf = ({ code, message }: Failure): Trouble => ({ says: message, whose: whose[code] });

export function answerOf(
  exchange: Exchange,
  reply: Reply,
  on: PeerInterface,
  { sent, message }: { sent: string; message?: string },
): StepAnswer {
  const http = exchange.http.response?.status;
  const base = { exchange, sent, ...(message !== undefined && { message }) };
  switch (reply.is) {
    case "result":
      return {
        ...base,
        status: on.binding === "GRPC" ? 200 : http,
        root: reply.json,
        saw: `${on.binding === "GRPC" ? "OK" : `HTTP ${http}`} ${brief(reply.json)}`,
      };
    case "error":
      return {
        ...base,
        status: statusOf(reply.error),
        root: jsonIn(exchange.http.response?.body),
        error: reply.error,
        saw: errorText(reply.error, exchange),
      };
    case "stream":
      return streamed(base, reply, http);
    case "malformed":
      return {
        ...base,
        status: http,
        root: jsonIn(exchange.http.response?.body),
        trouble: { says: reply.because, whose: "agent" },
        saw: bodyText(exchange),
      };
    case "failure": {
      const trouble = troubleOf(reply.failure);
      return { ...base, status: http, root: undefined, trouble, saw: trouble.says };
    }
  }
}

function streamed(
  base: { exchange: Exchange; sent: string },
  { events, failure }: Extract<Reply, { is: "stream" }>,
  http: number | undefined,
): StepAnswer {
  const last = events.at(-1);
  const error = last?.is === "error" ? last.error : undefined;
  const results = events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []));
  const bad = events.find((frame) => frame.is === "malformed");
  // Assay hung up; the stream was complete as far as it was read.
  const broken = failure && failure.code !== "aborted" ? failure : undefined;
  return {
    ...base,
    status: error && !results.length ? statusOf(error) : http,
    root: { events: results.map(eventView) },
    events: results.map(eventView),
    ...(error && { error }),
    ...(bad ? { trouble: { says: bad.because, whose: "agent" as const } } : broken && { trouble: troubleOf(broken) }),
    saw: error
      ? `${results.length ? `${results.length} events, then ` : ""}${errorText(error, base.exchange)}`
      : `${results.length} events: ${brief(results.map(kindOf), 400)}${failure ? ` (${failure.message})` : ""}`,
  };
}

const names: Readonly<Record<string, string>> = { statusUpdate: "status_update", artifactUpdate: "artifact_update" };

/**
 * Converts an event for expectations: its payload under the grammar's name, and the payload's members beside
 * it (rule `payload-of-an-event`).
 */
export function eventView(event: JsonValue): JsonValue {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return event;
  const [payload, content] = Object.entries(event)[0] ?? [];
  const isPayload = typeof content === "object" && content !== null && !Array.isArray(content);
  return {
    ...(isPayload ? content : {}),
    ...event,
    ...(payload !== undefined && content !== undefined && names[payload] ? { [names[payload]]: content } : {}),
  };
}

/** "task SUBMITTED", "status_update WORKING" */
function kindOf(event: JsonValue): string {
  const view = eventView(event) as { status?: { state?: unknown } };
  const [payload = "nothing"] = Object.keys(event ?? {});
  const state = view?.status?.state;
  return `${names[payload] ?? payload}${typeof state === "string" ? ` ${state.replace("TASK_STATE_", "")}` : ""}`;
}

/**
 * The HTTP status of a gRPC status, if the error itself has no row in the protocol's table (google.rpc.Code).
 */
const httpOf: Readonly<Partial<Record<GrpcStatus, number>>> = {
  OK: 200,
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  ALREADY_EXISTS: 409,
  RESOURCE_EXHAUSTED: 429,
  UNIMPLEMENTED: 501,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/** Returns the HTTP status of an error; over gRPC the mapped one. */
function statusOf({ grpc, http, reason }: PeerError): number {
  if (!grpc) return http;
  const named = (Object.keys(errorTable) as ErrorName[]).find((name) => errorTable[name].reason === reason);
  return named ? errorTable[named].http : ((grpc.status && httpOf[grpc.status]) ?? 500);
}

/** Returns true if the request was rejected for missing credentials, on any binding and in any format. */
export const isLogin = ({ status, error, root }: StepAnswer): boolean =>
  status === 401 ||
  error?.reason === "UNAUTHENTICATED" ||
  /"reason":"UNAUTHENTICATED"/.test(JSON.stringify(root) ?? "");

/** Returns the response headers by lower-case name; over gRPC the metadata with trailers. */
export function headersOf({ http }: Exchange): JsonValue {
  const fields = [...(http.response?.headers ?? []), ...(http.response?.trailers ?? [])];
  const joined = new Map<string, string>();
  for (const [name, value] of fields) {
    const known = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(joined);
}

function bodyText({ http, failure }: Exchange): string {
  if (!http.response) return failure?.message ?? "no answer";
  const text = Buffer.from(http.response.body).toString("utf8");
  return `HTTP ${http.response.status} ${brief(text || "with an empty body", 1_000)}`;
}

function errorText({ grpc, message, reason }: PeerError, exchange: Exchange): string {
  if (grpc) return `${grpc.status ?? `gRPC status ${grpc.code}`}${reason ? ` ${reason}` : ""} (${brief(message, 300)})`;
  return bodyText(exchange);
}

export function brief(value: unknown, limit = 1_000): string {
  const text = (typeof value === "string" ? value : JSON.stringify(value)) ?? "nothing";
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Converts the response to a request that is not an operation. */
export function rawAnswer(exchange: Exchange, sent: string): StepAnswer {
  const { failure, http } = exchange;
  if (!http.response) {
    const trouble: Trouble = failure ? troubleOf(failure) : { says: "no response arrived", whose: "ours" };
    return { exchange, sent, status: undefined, root: undefined, trouble, saw: trouble.says };
  }
  const events = http.sse?.events.map(({ data }) => jsonIn(data) ?? data);
  return {
    exchange,
    sent,
    status: http.response.status,
    root: events ? { events } : jsonIn(http.response.body),
    ...(events && { events }),
    saw: events ? `HTTP ${http.response.status}, ${events.length} events: ${brief(events, 600)}` : bodyText(exchange),
  };
}
