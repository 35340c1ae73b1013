import { expect, test } from "vitest";
import { statusBody } from "./status-body.ts";

test("a refusal is a google.rpc.Status in its wrapper, with the reason in an ErrorInfo", () => {
  expect(JSON.parse(statusBody(431, "Too many headers."))).toEqual({
    error: {
      code: 431,
      status: "RESOURCE_EXHAUSTED",
      message: "Too many headers.",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.ErrorInfo",
          reason: "HEADERS_TOO_LARGE",
          domain: "a2a-protocol.org",
        },
      ],
    },
  });
});
