/** By HTTP status: the name of the gRPC status, and the reason for the ErrorInfo. */
const meanings: Readonly<Record<number, readonly [status: string, reason: string]>> = {
  400: ["INVALID_ARGUMENT", "INVALID_REQUEST"],
  405: ["UNIMPLEMENTED", "METHOD_NOT_ALLOWED"],
  408: ["DEADLINE_EXCEEDED", "REQUEST_TIMEOUT"],
  413: ["RESOURCE_EXHAUSTED", "PAYLOAD_TOO_LARGE"],
  417: ["FAILED_PRECONDITION", "EXPECTATION_FAILED"],
  431: ["RESOURCE_EXHAUSTED", "HEADERS_TOO_LARGE"],
  500: ["INTERNAL", "INTERNAL_ERROR"],
  503: ["UNAVAILABLE", "UNAVAILABLE"],
};

/** An error as google.rpc.Status in JSON: what REST clients of A2A expect, and never HTML. */
export function statusBody(code: number, message: string): string {
  const [status, reason] = meanings[code] ?? ["UNKNOWN", "UNKNOWN"];
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  return JSON.stringify({ error: { code, status, message, details: [info] } });
}
