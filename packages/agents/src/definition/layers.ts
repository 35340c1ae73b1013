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
 * The places where an agent can differ from its base, in the order in which a request passes them: bytes,
 * admission, operations, skills, and back through the codec. The card and the webhooks are separate. Mutants
 * use layers to break one rule, variants to be unusual within the rules. Each layer wraps the original
 * behaviour.
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
  /** the events of a skill, and their timing */
  readonly events?: (
    events: AsyncGenerator<SkillEvent, void, undefined>,
    turn: Turn,
  ) => AsyncGenerator<SkillEvent, void, undefined>;
  /**
   * outgoing JSON: a response, a stream event, or the body of an error (on gRPC before it becomes protobuf)
   */
  readonly codec?: (json: JsonValue, written: CodecContext) => JsonValue;
  readonly card?: (card: JsonObject, baseUrl: string) => JsonObject;
  /** outgoing notifications to a webhook */
  readonly push?: (post: Post) => Post;
}

/** Describes the JSON that a codec layer gets. */
export interface CodecContext {
  readonly is: "answer" | "event" | "error";
  readonly binding: "JSONRPC" | "HTTP+JSON" | "GRPC";
  readonly dialect: Dialect;
  readonly operation: Operation | undefined;
}

/** The part of a served agent that an operations layer may use. */
export interface LayeredAgent {
  readonly definition: AgentDefinition;
  readonly push: PushLookup;
  extendedCard(baseUrl: string): AgentCard;
}

/** Reads the push configurations of a task, including their secrets. */
export interface PushLookup {
  get(call: TaskCall, taskId: string, id: string): Soon<TaskPushNotificationConfig>;
  list(call: TaskCall, request: ListTaskPushNotificationConfigsRequest): Soon<ListTaskPushNotificationConfigsResponse>;
}

/** A value from memory at once, or from a database as a promise. */
export type Soon<T> = T | Promise<T>;

/** Sends a notification to a webhook. */
export type Post = (
  url: string,
  headers: readonly (readonly [string, string])[],
  body: string,
  signal: AbortSignal,
  kind?: CallKind,
) => Promise<PostResult>;

/** The kind of an outgoing call, which decides its timeout. */
export type CallKind = "webhook" | "webhook for ever" | "agent";

/** The response of a webhook: its status, or the reason why there is none. */
export type PostResult =
  | { readonly status: number; readonly retryAfter?: string | undefined }
  | { readonly failure: FailureCode | "unsendable"; readonly final?: boolean };
