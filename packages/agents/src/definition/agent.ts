import type { Binding, DialectVersion, ErrorColumn, Message } from "@assay/protocol";
import type { Access } from "./access.ts";
import type { Layers } from "./layers.ts";
import type { Extension, Skill } from "./skill.ts";

/** The declaration of a test bed agent. Its card and the behaviour of its engine follow from it. */
export interface AgentDefinition {
  /** its first path segment, and its name as a gRPC tenant */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** listed on its card */
  readonly skills: readonly Skill[];
  /** available without being listed */
  readonly unlisted?: readonly Skill[];
  /** answers every message */
  readonly only?: Skill;
  /** answers messages without a keyword, instead of the list of keywords */
  readonly otherwise?: Skill;
  readonly streaming: boolean;
  readonly push: boolean;
  readonly extensions?: readonly Extension[];
  readonly tenants?: readonly string[];
  readonly signed?: boolean;
  readonly extended?: ExtendedCard;
  /** the protocol versions it supports, its native one first (default: 1.0 only) */
  readonly dialects?: readonly DialectVersion[];
  /** later versions 1.x that it serves in the form of 1.0, listed on its card before 1.0 */
  readonly later?: readonly string[];
  /** the bindings on its card (default: all that its versions have) */
  readonly bindings?: readonly Binding[];
  /** who may call it (default: everyone) */
  readonly access?: Access;
  /** which of the two published error tables it follows (AMB-01) */
  readonly errors?: ErrorColumn;
  /** behaviours that other suites expect, besides its skills */
  readonly conventions?: readonly Convention[];
  /** optional behaviour that a suite expects */
  readonly habits?: Habits;
  /** its differences from the base agent */
  readonly layers?: Layers;
}

/** A rule by which the tests of another suite select the agent's behaviour. */
export interface Convention {
  readonly suite: string;
  /** the skill that plays the suite's agent, for messages that are meant for it */
  choose(message: Message): Skill | undefined;
}

/** The additions of the extended card for authenticated callers. */
export interface ExtendedCard {
  /** who may see it (default: everyone who may call the agent) */
  readonly access?: Access;
  readonly skills: readonly Skill[];
}

/** Habits that other suites expect, each of them within the rules. */
export interface Habits {
  /** a request without A2A-Version means 1.0 */
  readonly missingVersion?: boolean;
  /** a message without an id gets one */
  readonly missingMessageId?: boolean;
  /** `taskId` and `contextId` beside the message count as the message's own */
  readonly misplacedIds?: boolean;
  /** `contentType` in a part's metadata is treated like its media type */
  readonly contentTypeInMetadata?: boolean;
  /** a new task may only name a context that the agent created */
  readonly ownContextsOnly?: boolean;
  /** a direct message names a context only if the client did */
  readonly quietContexts?: boolean;
  /** every media type is accepted */
  readonly anyMediaType?: boolean;
  /** every status has a message, so that the history of a task shows each state */
  readonly statesInWords?: boolean;
  /** a JSON-RPC call without an id is answered with the id null */
  readonly missingRpcId?: boolean;
  /** a JSON-RPC error instead of a stream is its only event */
  readonly errorsAsEvents?: boolean;
  /** the only push configuration of a task matches every id */
  readonly onlyPushConfig?: boolean;
  /** a follow-up may name another context than that of its task */
  readonly foreignContexts?: boolean;
  /** the card writes the gRPC address with its scheme */
  readonly grpcScheme?: boolean;
  /** HTTP+JSON has the Content-Type of 1.0.0 */
  readonly plainJsonLabel?: boolean;
  /** tasks and events have a generation, as in the draft of 1.1 */
  readonly generation?: boolean;
}

/** Every media type that the skills of the test bed accept. */
export const inputModes = ["text/plain", "application/json", "application/octet-stream", "application/pdf", "image/*"];
export const outputModes = ["text/plain", "application/json", "image/svg+xml", "application/pdf"];
