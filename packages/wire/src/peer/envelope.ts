import type { GrpcStatus, JsonValue } from "@assay/protocol";

/** A response as its binding defines it, before its content is judged. */
export type Envelope =
  | { readonly is: "result"; readonly json: JsonValue }
  | { readonly is: "error"; readonly error: PeerError }
  /** neither a result nor an error of the binding */
  | { readonly is: "malformed"; readonly because: string };

/** An error that a peer reported, on any binding. */
export interface PeerError {
  readonly message: string;
  readonly http: number;
  /** the JSON-RPC code, on that binding */
  readonly code?: number;
  /** the gRPC status, on that binding; an unknown number has no name */
  readonly grpc?: { readonly code: number; readonly status?: GrpcStatus };
  /** the `reason` of its ErrorInfo, the same on every binding */
  readonly reason?: string;
  readonly details: readonly JsonValue[];
  /** `error.data` of JSON-RPC if it is not a list of details; before 1.0 it may be anything */
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
