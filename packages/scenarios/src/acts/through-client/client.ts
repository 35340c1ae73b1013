import type { JsonObject, JsonValue } from "@assay/protocol";
import type { Exchange, PeerInterface, Reply } from "@assay/wire";
import type { AbstractOperation } from "../model.ts";

/** A third-party client, as scenarios use it. */
export interface ScenarioClient {
  /** true if its cards have the format of the version in use */
  readonly givesCardAsWritten: boolean;
  /** Makes it perform an operation; resolves with the result or at the timeout. */
  ask(asked: ClientAsked): Promise<ClientAnswer>;
}

export interface ClientAsked {
  readonly operation: AbstractOperation;
  /** the request of the operation in the format of 1.0 */
  readonly request: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** hang up after this many events */
  readonly leaveAfter?: number;
}

export interface ClientAnswer {
  readonly given: Given;
  /** ids of all exchanges it caused, in order */
  readonly exchanges: readonly string[];
  /** the server's response, read from the bytes; absent if no exchange is about the operation */
  readonly wire?: WireAnswer;
  /** a request is pending that the server has not fully answered */
  readonly isPending: boolean;
}

export type WireAnswer =
  | { readonly is: "call"; readonly exchange: Exchange; readonly reply: Reply; readonly on: PeerInterface }
  /** of a request for the card */
  | { readonly is: "card"; readonly exchange: Exchange };

/** A client's result for its program, in the format of 1.0. */
export interface Given {
  readonly result?: JsonValue;
  /** of a stream */
  readonly events?: readonly JsonValue[];
  /** the stream reached its end */
  readonly done?: true;
  readonly error?: SurfacedError;
  /** it neither answered nor ended in time */
  readonly late?: true;
  /** why its result cannot be read as A2A; the result itself is unchanged above */
  readonly unreadable?: string;
}

export const surfacedErrorKinds = ["protocol", "transport", "unsupported", "driver"] as const;
export type SurfacedErrorKind = (typeof surfacedErrorKinds)[number];

/** An error as a client reported it. */
export interface SurfacedError {
  /**
   * `protocol`: an error of the agent, reported as such. `transport`: of the connection, of HTTP or gRPC, or
   * an unreadable response. `unsupported`: the client does not support it. `driver`: its program is at fault.
   */
  readonly kind: SurfacedErrorKind;
  /** the class, sentinel or enum value that identifies it for a program */
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}
