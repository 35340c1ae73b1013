import type { Binding, DialectVersion, ErrorColumn, Message } from "@assay/protocol";
import type { Access } from "./access.ts";
import type { Layers } from "./layers.ts";
import type { Extension, Skill } from "./skill.ts";

/** An agent of the test bed, declared: what its card says and how its engine behaves follow from this. */
export interface AgentDefinition {
  /** its first path segment, and its name as a gRPC tenant */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** on its card */
  readonly skills: readonly Skill[];
  /** answered to without being listed */
  readonly unlisted?: readonly Skill[];
  /** answers every message */
  readonly only?: Skill;
  /** answers whatever no keyword claims, in place of the list of keywords */
  readonly otherwise?: Skill;
  readonly streaming: boolean;
  readonly push: boolean;
  readonly extensions?: readonly Extension[];
  readonly tenants?: readonly string[];
  readonly signed?: boolean;
  readonly extended?: ExtendedCard;
  /** the protocol versions it speaks, its own first; 1.0 alone unless it says more */
  readonly dialects?: readonly DialectVersion[];
  /** the bindings that its card lists; all that its versions have, unless it says so */
  readonly bindings?: readonly Binding[];
  /** who may call it; everybody, unless it says so */
  readonly access?: Access;
  /** which of the two published error tables it follows (AMB-01) */
  readonly errors?: ErrorColumn;
  /** behaviours of other suites that it answers to, besides its skills */
  readonly conventions?: readonly Convention[];
  /** what it does because a suite expects it, though it need not */
  readonly habits?: Habits;
  /** where it differs from what it is built of */
  readonly layers?: Layers;
}

/** How the tests of another suite tell an agent what to do. */
export interface Convention {
  readonly suite: string;
  /** the skill that plays its agent, for messages that are meant for it */
  choose(message: Message): Skill | undefined;
}

/** What the card shows to those who authenticate. */
export interface ExtendedCard {
  /** who may see it; everybody who may call the agent, unless it says so */
  readonly access?: Access;
  readonly skills: readonly Skill[];
}

/** Ways of other suites, each of them within what a client may meet. */
export interface Habits {
  /** a request without A2A-Version is one of 1.0 */
  readonly missingVersion?: boolean;
  /** a message without an id gets one */
  readonly missingMessageId?: boolean;
  /** `taskId` and `contextId` beside the message count as the message's own */
  readonly misplacedIds?: boolean;
  /** `contentType` in a part's metadata is judged like its media type */
  readonly contentTypeInMetadata?: boolean;
  /** a new task may not name a context that the agent did not give out */
  readonly ownContextsOnly?: boolean;
  /** a direct message names a context only if the client did */
  readonly quietContexts?: boolean;
  /** every media type is welcome */
  readonly anyMediaType?: boolean;
  /** every state is told in words, so that the history of a task shows each of them */
  readonly statesInWords?: boolean;
  /** a call of JSON-RPC without an id is answered, with the id null */
  readonly missingRpcId?: boolean;
  /** over JSON-RPC, an error in place of a stream is its only event */
  readonly errorsAsEvents?: boolean;
  /** the only push configuration of a task answers to every id */
  readonly onlyPushConfig?: boolean;
  /** a follow-up may name another context than that of its task */
  readonly foreignContexts?: boolean;
  /** the card writes the address of gRPC with its scheme */
  readonly grpcScheme?: boolean;
  /** HTTP+JSON is labelled as 1.0.0 had it */
  readonly plainJsonLabel?: boolean;
}

/** Every media type the test bed's skills can make something of. */
export const inputModes = ["text/plain", "application/json", "application/octet-stream", "application/pdf", "image/*"];
export const outputModes = ["text/plain", "application/json", "image/svg+xml", "application/pdf"];
