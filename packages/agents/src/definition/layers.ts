import type { Dialect, JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { GrpcCall, Handler } from "@assay/wire/server";
import type { Outbound } from "../outbound/outbound.ts";
import type { Admission } from "../server/admission.ts";
import type { Perform } from "../server/agent-host.ts";
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
  readonly operations?: (perform: Perform) => Perform;
  /** what a skill says, and when */
  readonly events?: (
    events: AsyncGenerator<SkillEvent, void, undefined>,
    turn: Turn,
  ) => AsyncGenerator<SkillEvent, void, undefined>;
  /** JSON as it is written: an answer, an event of a stream, or the body of an error (on gRPC before it becomes protobuf) */
  readonly codec?: (json: JsonValue, written: CodecContext) => JsonValue;
  readonly card?: (card: JsonObject, baseUrl: string) => JsonObject;
  /** notifications on their way to a webhook */
  readonly push?: (post: Outbound["post"]) => Outbound["post"];
}

/** What the JSON is that a codec layer is given. */
export interface CodecContext {
  readonly is: "answer" | "event" | "error";
  readonly binding: "JSONRPC" | "HTTP+JSON" | "GRPC";
  readonly dialect: Dialect;
  readonly operation: Operation | undefined;
}
