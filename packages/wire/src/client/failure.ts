import { errors } from "undici";
import { egressRefused } from "../egress.ts";
import type { Failure, FailureCode } from "../recording/exchange.ts";

/** An error on which we had already decided what to tell the user. */
export class NetworkError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export const fail = (code: FailureCode, message: string, hint?: string): Failure => ({
  code,
  message,
  ...(hint && { hint }),
});

/** What a network error says about the exchange it ended; `peerClosed` when the peer had hung up in good order before. */
export function failureFrom(error: unknown, peerClosed = false): Failure {
  if (error instanceof NetworkError) return error.failure;
  // Racing IPv4 and IPv6 ends in one error per address; the first is the one the resolver preferred.
  if (error instanceof AggregateError && error.errors.length > 0) return failureFrom(error.errors[0], peerClosed);

  // Network errors of Node and undici carry a `code`; others have none, and that is allowed for.
  const { code = "", message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  if (code === egressRefused) return fail("refused-by-guard", message);
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) {
    return fail("dns", `the host name did not resolve (${code})`, "Is the host spelled right, and is DNS reachable?");
  }
  if (code === "ECONNREFUSED") {
    return fail(
      "connect-refused",
      `the connection was not accepted: ${message}`,
      "Is the server running on that port?",
    );
  }
  if (unreachableCodes.has(code)) {
    return fail("unreachable", `the host cannot be reached: ${message}`, "Is the host up, and is there a way to it?");
  }
  if (code === "ECONNRESET" || code === "EPIPE" || code === "ECONNABORTED") {
    return fail("reset", `the peer reset the connection (${code})`);
  }
  if (isTls(code)) {
    return fail("tls", `the TLS handshake failed: ${message} (${code})`, tlsHint(code));
  }
  return fromUndici(error, code, message, peerClosed);
}

const unreachableCodes = new Set(["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "EADDRNOTAVAIL", "EACCES", "ETIMEDOUT"]);

const isTls = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH)|^EPROTO$/.test(code);

function tlsHint(code: string): string {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "The certificate is for another host name.";
  if (/^(CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)) {
    return "Give the certificate authority with --ca, or skip verification with --insecure.";
  }
  if (code.endsWith("NO_APPLICATION_PROTOCOL"))
    return "The server takes no HTTP/1.1 there, perhaps HTTP/2 only. Assay tests JSON-RPC and HTTP+JSON over HTTP/1.1: enable it beside HTTP/2.";
  return "Does the server speak TLS on that port?";
}

// undici gives its parser's errors, and those of a connection it gave up, no code that tells them apart.
function fromUndici(error: unknown, code: string, message: string, peerClosed: boolean): Failure {
  const closedEarly = fail("closed-early", "the peer closed the connection before the answer was complete");
  if (error instanceof errors.HTTPParserError) {
    return /invalid eof/i.test(message) ? closedEarly : fail("malformed", message);
  }
  switch (code) {
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      // undici says this of every answer with a length that it cannot read on, whether or not it was cut short.
      return peerClosed ? closedEarly : fail("malformed", "the answer does not keep to its Content-Length");
    case "UND_ERR_HEADERS_OVERFLOW":
      return fail("too-large", "the answer's headers exceed our limit");
    case "UND_ERR_SOCKET":
      if (message === "bad upgrade") return fail("malformed", "the peer switched protocols without being asked to");
      if (message !== "bad response") return closedEarly;
      return fail("unsupported", "the peer sent an interim 100 answer, which our HTTP client cannot read");
    default:
      return fail("unknown", message);
  }
}
