const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  408: "DEADLINE_EXCEEDED",
  413: "RESOURCE_EXHAUSTED",
  417: "FAILED_PRECONDITION",
  431: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
};

/** An error as google.rpc.Status in JSON: what REST clients of A2A expect, and never HTML. */
export const statusBody = (code: number, message: string): string =>
  JSON.stringify({ error: { code, status: statusNames[code] ?? "UNKNOWN", message } });
