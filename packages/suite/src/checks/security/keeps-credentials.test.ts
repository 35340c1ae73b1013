import { describe, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { keepsCredentials } from "./keeps-credentials.ts";

type Headers = readonly (readonly [string, string])[];

function talkWith(
  shown: Headers,
  answer: { body?: string; headers?: Headers; trailers?: Headers },
  operation = "GetTask",
) {
  const { body = "", headers = [], trailers = [] } = answer;
  const response = { status: 401, headers, trailers, body: Buffer.from(body) };
  // Only what the check reads.
  return { operation, exchange: { http: { request: { headers: shown }, response } } } as unknown as Call;
}

const bearer: Headers = [["Authorization", "Bearer s3cret-t0ken-value"]];
const judge = (call: Call) => [keepsCredentials.judge(call)].flat()[0];

describe("credentials that an answer repeats", () => {
  test.each<[string, Headers, Parameters<typeof talkWith>[1]]>([
    ["in the text of an error", bearer, { body: '{"message":"bad token s3cret-t0ken-value!"}' }],
    ["in a header", bearer, { headers: [["X-Debug", "s3cret-t0ken-value"]] }],
    ["in a gRPC message", bearer, { trailers: [["grpc-message", "not valid%3A%20s3cret-t0ken-value"]] }],
    ["in gRPC details", bearer, { trailers: [["x-bin", Buffer.from("s3cret-t0ken-value").toString("base64")]] }],
    ["though they are an API key", [["X-API-Key", "0123456789abcdef"]], { body: "0123456789abcdef" }],
  ])("are found %s, and not printed", (_where, shown, answer) => {
    const finding = judge(talkWith(shown, answer));
    expect(finding?.is).toBe("breach");
    expect(JSON.stringify({ ...finding, at: [] })).not.toMatch(/s3cret-t0ken-value|0123456789abcdef/);
  });

  test("are no matter where there are none", () => {
    expect(judge(talkWith([], { body: "hello" }))).toBe(undefined);
  });

  test("are not taken for repeated where they are so short that it may be chance", () => {
    expect(judge(talkWith([["Authorization", "Bearer abc"]], { body: "abc" }))).toBe(undefined);
  });

  test("hold where the answer is about something else", () => {
    expect(judge(talkWith(bearer, { body: "Bearer credentials are needed" }))?.is).toBe("holds");
  });

  test("may stand in a card, which then made them public", () => {
    expect(judge(talkWith(bearer, { body: "s3cret-t0ken-value" }, "GetExtendedAgentCard"))).toBe(undefined);
  });
});
