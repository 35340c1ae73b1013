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
  /** the original JSON of the agent */
  readonly json: JsonObject;
  /** in the form of 1.0; absent if it cannot be read as a card */
  readonly card?: AgentCard;
  readonly dialects: NormalisedCard["dialects"];
  readonly interfaces: readonly TalkInterface[];
  /** the findings of `assay card` */
  readonly findings: readonly CardFinding[];
  readonly oddities: readonly string[];
}

/** An interface of the card, in the card's order. The user can choose those that Assay supports. */
export interface TalkInterface {
  readonly url: string;
  readonly binding: string;
  readonly dialect?: string;
  readonly tenant?: string;
  readonly spoken: boolean;
  /** true if the given credentials are sent there */
  readonly trusted: boolean;
}

/** An event of a conversation. The page builds its state from these events. */
export type TalkEvent = TurnBegun | TurnArrival | TurnOver | TurnJudged | PushOpened | PushArrival;

/** The page sends a request. */
export interface TurnBegun {
  readonly is: "begun";
  readonly turn: number;
  readonly at: string;
  readonly operation: Operation;
  /** the name of the operation in the binding in use */
  readonly method: string;
  /** the index of the interface */
  readonly on: number;
  /** in the form of 1.0 */
  readonly request: JsonObject;
}

/** A response, or one frame of a stream. */
export interface TurnArrival {
  readonly is: "arrived";
  readonly turn: number;
  /** milliseconds since the request began */
  readonly ms: number;
  /** the agent's JSON, without the envelope of the binding; over gRPC, in ProtoJSON */
  readonly json: JsonValue;
  /** in the form of 1.0: the answer of the operation, or the events of the frame; absent if it violates the schema */
  readonly answer?: JsonValue;
  readonly events?: readonly StreamResponse[];
  readonly violations: readonly TalkViolation[];
}

export interface TalkViolation {
  readonly path: string;
  readonly message: string;
}

/** The request has ended, with or without a response. */
export interface TurnOver {
  readonly is: "over";
  readonly turn: number;
  readonly ms: number;
  /** the recorded exchange; absent if nothing was sent */
  readonly exchange?: string;
  /** `left`: Assay disconnected; `broken`: the connection broke */
  readonly ending: "answered" | "closed" | "left" | "broken";
  readonly trouble?: TalkTrouble;
}

/** The reason why there is no readable response of the agent. */
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

/** A webhook that the agent may call from now on. */
export interface PushOpened {
  readonly is: "push-opened";
  readonly webhook: number;
  readonly url: string;
  readonly turn: number;
  readonly taskId?: string;
}

/** A notification that the agent sent to the webhook. */
export interface PushArrival {
  readonly is: "push-arrived";
  readonly webhook: number;
  readonly at: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  /** the body, if it is a JSON object */
  readonly json?: JsonValue;
  /** the body, if it is anything else */
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
  /** true for the binding and version that Assay really used */
  readonly used: boolean;
  /** absent if this version has no such operation */
  readonly request?: WireText;
  /** one text for a response, or one for each event of a stream; empty without a response */
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
