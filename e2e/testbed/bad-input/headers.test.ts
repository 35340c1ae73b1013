import { describe, expect, test } from "vitest";
import {
  agentMessage,
  ask,
  bindings,
  expectNormalService,
  named,
  plain,
  sending,
  written,
} from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { bed, at, post } = usePlainPosts();

describe.each(bindings)("over %s", (binding) => {
  describe("odd header values", () => {
    const oddities: Record<string, string>[] = [
      { "A2A-Extensions": ",,,,;;;  \t ," },
      { "A2A-Extensions": "é".repeat(100) },
      { "A2A-Extensions": "urn:x,".repeat(2_000) },
      { Authorization: "Bearer ".repeat(300) },
      { Authorization: "é" },
      { Accept: "application/pdf;q=nonsense" },
      { "Accept-Encoding": "gzip, br, identity;q=0" },
      { "Last-Event-ID": "-1" },
      { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example", "X-HTTP-Method-Override": "DELETE" },
      { Cookie: "a=b; ".repeat(500) },
      { Range: "bytes=0-1" },
      { "If-Match": '"x"', "If-Unmodified-Since": "never" },
    ];
    test.each(named(oddities))("%s changes nothing", async (_name, headers) => {
      const { message } = await ask(at("full"), binding, "SendMessage", sending("message-only x"), headers);
      expect(message).toEqual(agentMessage("[message-only] You said: message-only x"));
    });

    test("an offer to speak another protocol is declined by answering in this one", async () => {
      for (const headers of [
        { Upgrade: "websocket", Connection: "Upgrade" },
        { Upgrade: "h2c", Connection: "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA" },
      ]) {
        const sent = written(at("echo"), binding, "SendMessage", sending("hi"), headers);
        // Use a new connection: after such a request, Node 20 notices a malformed one only after its timeout.
        expect((await plain(sent.url, { ...sent.plain, fresh: true })).status).toBe(200);
      }
    });

    test("headers beyond the limit are refused in the shape of an error", async () => {
      const path = binding === "JSONRPC" ? "spec" : "spec/message:send";
      const answer = await post(path, "{}", { "X-Large": "x".repeat(20_000) });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        431,
        { error: { code: 431, status: "RESOURCE_EXHAUSTED", details: [{ reason: "HEADERS_TOO_LARGE" }] } },
      ]);
      await expectNormalService(bed);
    });
  });
});
