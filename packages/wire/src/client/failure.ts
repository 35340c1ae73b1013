import { errors } from "undici";
import { egressRefused } from "../egress.ts";
import type { Failure, FailureCode } from "../recording/exchange.ts";

/** A network error with a known failure. */
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

/**
 * Translates a network error to a failure. `peerClosed` is true if the peer had closed the connection cleanly before.
 */
export function failureFrom(error: unknown, peerClosed = false): Failure {
  if (error instanceof NetworkError) return error.failure;
  // Racing IPv4 and IPv6 gives one error per address; the first is the resolver's preferred one.
  if (error instanceof AggregateError && error.errors.length > 0) return failureFrom(error.errors[0], peerClosed);

  // Network errors of Node and undici have a `code`; other errors have none.
  const { code = "", message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  if (code === egressRefused) return fail("refused-by-guard", message);
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) {
    return fail("dns", `the host name did not resolve (${code})`, "Check the host name and the DNS server.");
  }
  if (code === "ECONNREFUSED") {
    return fail("connect-refused", `connection refused: ${message}`, "Check that the server is running on this port.");
  }
  if (unreachableCodes.has(code)) {
    return fail(
      "unreachable",
      `the host is unreachable: ${message}`,
      "Check that the host is up and that the network allows connections to it.",
    );
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
    return "Pass the certificate authority with --ca, or skip verification with --insecure.";
  }
  if (code.endsWith("NO_APPLICATION_PROTOCOL"))
    return "The server does not accept HTTP/1.1, perhaps only HTTP/2. Assay tests JSON-RPC and HTTP+JSON over HTTP/1.1: enable it as well.";
  return "Check that the server uses TLS on this port.";
}

// undici's parser errors and its errors for abandoned connections have no distinct codes.
function fromUndici(error: unknown, code: string, message: string, peerClosed: boolean): Failure {
  const closedEarly = fail("closed-early", "the peer closed the connection before the response was complete");
  if (error instanceof errors.HTTPParserError) {
    return /invalid eof/i.test(message) ? closedEarly : fail("malformed", message);
  }
  switch (code) {
    case "UND_ERR_RES_CONTENT_LENGTH_MISMATCH":
      // undici reports this for every unreadable response with a length, whether it was cut short or not.
      return peerClosed ? closedEarly : fail("malformed", "the response does not match its Content-Length");
    case "UND_ERR_HEADERS_OVERFLOW":
      return fail("too-large", "the response headers exceed the limit");
    case "UND_ERR_SOCKET":
      if (message === "bad upgrade") return fail("malformed", "the peer switched protocols without being asked to");
      if (message !== "bad response") return closedEarly;
      return fail("unsupported", "the peer sent an interim 100 response, which Assay's HTTP client cannot read");
    default:
      return fail("unknown", message);
  }
}
