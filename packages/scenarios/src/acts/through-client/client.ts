import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";
import type { AbstractOperation } from "../model.ts";

/** A client that is none of ours, as scenarios ask it. */
export interface ScenarioClient {
  /** whether what it gives of a card is written as the version that is spoken writes cards */
  readonly givesCardAsWritten: boolean;
  /** Has it ask for an operation; resolves when that is answered, or when the time is over. */
  ask(asked: ClientAsked): Promise<ClientAnswer>;
}

export interface ClientAsked {
  readonly operation: AbstractOperation;
  /** the request of the operation in the words of 1.0 */
  readonly request: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** hang up after so many events */
  readonly leaveAfter?: number;
}

export interface ClientAnswer {
  readonly given: Given;
  /** the ids of all exchanges that it caused, in their order */
  readonly exchanges: readonly string[];
  /** what the server answered, read from the bytes; absent where none of the exchanges is about the operation */
  readonly wire?: WireAnswer;
  /** a request is under way that the server has not answered to its end */
  readonly isPending: boolean;
}

export type WireAnswer =
  | { readonly is: "call"; readonly exchange: Exchange; readonly reply: Reply; readonly on: PeerInterface }
  /** of a request for the card */
  | { readonly is: "card"; readonly exchange: Exchange };

/** What a client handed to its program, in the words of 1.0. */
export interface Given {
  readonly result?: JsonValue;
  /** of a stream */
  readonly events?: readonly JsonValue[];
  /** the stream came to its end */
  readonly done?: true;
  readonly error?: SurfacedError;
  /** it neither answered nor ended in its time */
  readonly late?: true;
  /** why what it gave cannot be read as A2A; then it stands above as it was given */
  readonly unreadable?: string;
}

export const surfacedErrorKinds = ["protocol", "transport", "unsupported", "driver"] as const;
export type SurfacedErrorKind = (typeof surfacedErrorKinds)[number];

/** An error as a client surfaced it. */
export interface SurfacedError {
  /**
   * `protocol`: the agent's, and told as such; `transport`: of the connection, of HTTP or gRPC, or an answer that it cannot
   * read; `unsupported`: the client cannot do it; `driver`: the program around it is at fault
   */
  readonly kind: SurfacedErrorKind;
  /** the class, sentinel or enum value by which a program tells it */
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}
