import type { GrpcStatus, JsonValue } from "@assay/protocol";

/** What an answer said in the words of its binding, before anybody judges the content. */
export type Envelope =
  | { readonly is: "result"; readonly json: JsonValue }
  | { readonly is: "error"; readonly error: PeerError }
  /** neither a result nor an error of the binding */
  | { readonly is: "malformed"; readonly because: string };

/** An error as a peer reported it, on whichever binding. */
export interface PeerError {
  readonly message: string;
  readonly http: number;
  /** the JSON-RPC code, on that binding */
  readonly code?: number;
  /** the gRPC status, on that binding; a number that gRPC does not know has no name */
  readonly grpc?: { readonly code: number; readonly status?: GrpcStatus };
  /** the `reason` of its ErrorInfo, which names the error on every binding alike */
  readonly reason?: string;
  readonly details: readonly JsonValue[];
  /** `error.data` of JSON-RPC where it is no list of details: before 1.0 it may be anything */
  readonly data?: JsonValue;
}

export function reasonIn(details: readonly JsonValue[]): string | undefined {
  for (const detail of details) {
    if (typeof detail !== "object" || detail === null || Array.isArray(detail)) continue;
    const { reason } = detail;
    if (typeof reason === "string") return reason;
  }
  return undefined;
}
