import { constants } from "node:http2";
import { fail, failureFrom } from "../client/failure.ts";
import type { Failure } from "../recording/exchange.ts";

/** HTTP/2 error names by code, as in RFC 9113 §7. */
const names = new Map<number, string>(
  [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
  ].map((name, code) => [code, name]),
);

const nameOf = (code: number): string => names.get(code) ?? `error ${code}`;

const { NGHTTP2_PROTOCOL_ERROR, NGHTTP2_FLOW_CONTROL_ERROR, NGHTTP2_FRAME_SIZE_ERROR, NGHTTP2_COMPRESSION_ERROR } =
  constants;
const violations = new Set([
  NGHTTP2_PROTOCOL_ERROR,
  NGHTTP2_FLOW_CONTROL_ERROR,
  NGHTTP2_FRAME_SIZE_ERROR,
  NGHTTP2_COMPRESSION_ERROR,
]);

/**
 * Returns the failure of a reset stream. Node does not say whether the peer reset it, or our HTTP/2 layer after an
 * error.
 */
export function resetFailure(code: number): Failure {
  const name = nameOf(code);
  if (violations.has(code)) return fail("malformed", `the response violates HTTP/2: the stream was reset with ${name}`);
  if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM) {
    return fail("too-large", `the stream was reset with ${name}: the response headers exceed the limit`);
  }
  return fail("reset", `the peer reset the stream (${name})`);
}

/** Translates an error of the stream, its session or its socket. After GOAWAY, all of them look the same. */
export function http2Failure(error: NodeJS.ErrnoException, resetCode: number, isGivenUp = false): Failure {
  switch (error.code) {
    case "ERR_HTTP2_STREAM_ERROR":
      return resetFailure(resetCode);
    case "ERR_HTTP2_SESSION_ERROR":
      return fail("reset", `the peer closed the connection with GOAWAY (${nameOf(resetCode)})`);
    case "ERR_HTTP2_GOAWAY_SESSION":
    case "ERR_HTTP2_INVALID_SESSION":
      return fail("closed-early", "the peer closed the connection before the call was sent");
    case "ERR_HTTP2_ERROR":
      if (isGivenUp) return fail("reset", "the peer closed the connection with GOAWAY");
      return fail(
        "malformed",
        `the server does not speak HTTP/2: ${error.message}`,
        "Check that this is the gRPC port.",
      );
    default:
      return failureFrom(error);
  }
}
