/** gRPC status name and ErrorInfo reason by HTTP status. */
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

/** Returns an error as google.rpc.Status in JSON, which A2A REST clients expect instead of HTML. */
export function statusBody(code: number, message: string): string {
  const [status, reason] = meanings[code] ?? ["UNKNOWN", "UNKNOWN"];
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain: "a2a-protocol.org" };
  return JSON.stringify({ error: { code, status, message, details: [info] } });
}
