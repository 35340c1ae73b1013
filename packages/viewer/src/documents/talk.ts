import type {
  AgentCard,
  CardFinding,
  JsonObject,
  JsonValue,
  NormalisedCard,
  Operation,
  StreamResponse,
} from "@assay/protocol";
import type { TrafficBreach } from "@assay/suite";
import type { PeerError } from "@assay/wire";

export type { AgentCard, JsonObject, JsonValue, Message, Part, StreamResponse, Task, TaskState } from "@assay/protocol";

/** An agent that the page talks to. Secrets in the agent's texts are masked. The texts are plain text, never markup. */
export interface TalkDocument {
  readonly id: string;
  /** as the user wrote it, without a login */
  readonly address: string;
  readonly cardUrl: string;
  /** as the agent wrote it */
  readonly json: JsonObject;
  /** in the words of 1.0; absent where it cannot be read as a card */
  readonly card?: AgentCard;
  readonly dialects: NormalisedCard["dialects"];
  readonly interfaces: readonly TalkInterface[];
  /** what `assay card` finds */
  readonly findings: readonly CardFinding[];
  readonly oddities: readonly string[];
}

/** An interface of the card, in its order; those that `assay ui` speaks can be chosen. */
export interface TalkInterface {
  readonly url: string;
  readonly binding: string;
  readonly dialect?: string;
  readonly tenant?: string;
  readonly spoken: boolean;
  /** true if the given credentials are sent there */
  readonly trusted: boolean;
}

/** One thing that happened in a conversation. The page is a fold over these. */
export type TalkEvent = TurnBegun | TurnArrival | TurnOver | TurnJudged | PushOpened | PushArrival;

/** The page sends a request. */
export interface TurnBegun {
  readonly is: "begun";
  readonly turn: number;
  readonly at: string;
  readonly operation: Operation;
  /** the name of the operation in the binding in use */
  readonly method: string;
  /** which of the interfaces */
  readonly on: number;
  /** in the words of 1.0 */
  readonly request: JsonObject;
}

/** An answer, or one frame of a stream. */
export interface TurnArrival {
  readonly is: "arrived";
  readonly turn: number;
  /** milliseconds since the request began */
  readonly ms: number;
  /** as the agent wrote it, without the envelope of the binding; of gRPC, in ProtoJSON */
  readonly json: JsonValue;
  /** in the words of 1.0: the answer of the operation, or the events of the frame; absent where it breaks the schema */
  readonly answer?: JsonValue;
  readonly events?: readonly StreamResponse[];
  readonly violations: readonly TalkViolation[];
}

export interface TalkViolation {
  readonly path: string;
  readonly message: string;
}

/** The request is answered, or never will be. */
export interface TurnOver {
  readonly is: "over";
  readonly turn: number;
  readonly ms: number;
  /** the recorded exchange; none where nothing was sent */
  readonly exchange?: string;
  /** `left`: Assay disconnected; `broken`: the connection broke */
  readonly ending: "answered" | "closed" | "left" | "broken";
  readonly trouble?: TalkTrouble;
}

/** Why there is no answer of the agent to read. */
export interface TalkTrouble {
  readonly kind: "error" | "malformed" | "failure" | "login" | "payment" | "other-answer" | "other-version" | "not-a2a";
  readonly message: string;
  readonly hint?: string;
  readonly error?: PeerError;
}

/** The results of the traffic checks for a turn. */
export interface TurnJudged {
  readonly is: "judged";
  readonly turn: number;
  readonly breaches: readonly TrafficBreach[];
  /** the reason why the agent is not judged */
  readonly unjudged?: string;
}

/** From now on the agent may call this webhook. */
export interface PushOpened {
  readonly is: "push-opened";
  readonly webhook: number;
  readonly url: string;
  readonly turn: number;
  readonly taskId?: string;
}

/** A notification. */
export interface PushArrival {
  readonly is: "push-arrived";
  readonly webhook: number;
  readonly at: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** where the body is a JSON object */
  readonly json?: JsonValue;
  /** where it is something else */
  readonly text?: string;
  readonly event?: StreamResponse;
  readonly taskId?: string;
  readonly violations: readonly TalkViolation[];
}

/** The same request and its response, if any, in another binding or version. */
export interface WireView {
  readonly binding: string;
  readonly dialect: string;
  /** the card lists it; otherwise the address is only an example */
  readonly offered: boolean;
  /** it is the wire that the request was really sent over */
  readonly used: boolean;
  /** absent where this version has no such operation */
  readonly request?: WireText;
  /** one for an answer, one for each event of a stream; empty while there is none */
  readonly answers: readonly string[];
}

export interface WireText {
  readonly line: string;
  readonly headers: readonly (readonly [string, string])[];
  /** JSON; of gRPC, in ProtoJSON */
  readonly body: string;
  /** for a request that is not sent as text */
  readonly note?: string;
}
