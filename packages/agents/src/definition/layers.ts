import type {
  AgentCard,
  Dialect,
  JsonObject,
  JsonValue,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  Operation,
  TaskPushNotificationConfig,
} from "@assay/protocol";
import type { FailureCode } from "@assay/wire";
import type { GrpcCall, Handler } from "@assay/wire/server";
import type { Admission } from "../definition/admission.ts";
import type { AgentDefinition } from "./agent.ts";
import type { Perform, TaskCall } from "./call.ts";
import type { SkillEvent, Turn } from "./skill.ts";

/**
 * Where an agent can be made to differ from what it is built of, in the fixed order in which a request passes:
 * bytes, admission, operations, skills, and back through the codec; beside them the card and the webhooks. Mutants
 * use them to break one rule, variants to be unusual within the rules. Each gets what would have happened and
 * gives back what happens instead.
 */
export interface Layers {
  /** HTTP as the client sees it, down to the socket (`reply.raw`) */
  readonly http?: (serve: Handler) => Handler;
  /** gRPC frames, metadata and trailers */
  readonly grpc?: (call: GrpcCall) => GrpcCall;
  /** authentication, version, extensions, tenant */
  readonly admission?: (admission: Admission) => Admission;
  /** the eleven operations */
  readonly operations?: (perform: Perform, agent: LayeredAgent) => Perform;
  /** what a skill says, and when */
  readonly events?: (
    events: AsyncGenerator<SkillEvent, void, undefined>,
    turn: Turn,
  ) => AsyncGenerator<SkillEvent, void, undefined>;
  /** JSON as it is written: an answer, an event of a stream, or the body of an error (on gRPC before it becomes protobuf) */
  readonly codec?: (json: JsonValue, written: CodecContext) => JsonValue;
  readonly card?: (card: JsonObject, baseUrl: string) => JsonObject;
  /** notifications on their way to a webhook */
  readonly push?: (post: Post) => Post;
}

/** What the JSON is that a codec layer is given. */
export interface CodecContext {
  readonly is: "answer" | "event" | "error";
  readonly binding: "JSONRPC" | "HTTP+JSON" | "GRPC";
  readonly dialect: Dialect;
  readonly operation: Operation | undefined;
}

/** Of an agent that is being served, what a layer of operations may look at. */
export interface LayeredAgent {
  readonly definition: AgentDefinition;
  readonly push: PushLookup;
  extendedCard(baseUrl: string): AgentCard;
}

/** The push configurations of a task, with all that they hold. */
export interface PushLookup {
  get(call: TaskCall, taskId: string, id: string): Soon<TaskPushNotificationConfig>;
  list(call: TaskCall, request: ListTaskPushNotificationConfigsRequest): Soon<ListTaskPushNotificationConfigsResponse>;
}

/** What is in memory is there at once; what is in a database takes a moment. */
export type Soon<T> = T | Promise<T>;

/** Sends a notification to a webhook. */
export type Post = (
  url: string,
  headers: readonly (readonly [string, string])[],
  body: string,
  signal: AbortSignal,
  kind?: CallKind,
) => Promise<PostResult>;

/** What is called, which decides how long that may take. */
export type CallKind = "webhook" | "webhook for ever" | "agent";

/** What came back from a webhook: its status, or why there is none. */
export type PostResult =
  | { readonly status: number; readonly retryAfter?: string | undefined }
  | { readonly failure: FailureCode | "unsendable"; readonly final?: boolean };
