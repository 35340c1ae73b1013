import { expect, test } from "vitest";
import { egressError } from "../egress.ts";
import { failureFrom } from "./failure.ts";

const coded = (code: string) => Object.assign(new Error("words"), { code });

test.each([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["ECONNREFUSED", "connect-refused"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["ETIMEDOUT", "unreachable"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
  ["EPROTO", "tls"],
  ["EMFILE", "unknown"],
])("%s is told as %s", (code, failure) => {
  expect(failureFrom(coded(code)).code).toBe(failure);
});

test("a server that takes no HTTP/1.1 is told how it can be tested", () => {
  expect(failureFrom(coded("ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"))).toMatchObject({
    code: "tls",
    hint: expect.stringContaining("enable it as well"),
  });
});

test("a refusal of the egress guard is no failure of the peer's", () => {
  expect(failureFrom(egressError("10.0.0.1 is a private address")).code).toBe("refused-by-guard");
});

test("of several addresses, the failure names the one that the resolver preferred", () => {
  const error = new AggregateError([coded("EHOSTUNREACH"), coded("ECONNREFUSED")]);
  expect(failureFrom(error).code).toBe("unreachable");
});
