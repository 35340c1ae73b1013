import { describe, expect, test } from "vitest";
import { ask, bindings, sending } from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { at, post, expectRefused } = usePlainPosts();

describe.each(bindings)("over %s", (binding) => {
  describe("a body of 50 MB", () => {
    const path = binding === "JSONRPC" ? "spec" : "spec/message:send";
    const huge = Buffer.alloc(50 * 1024 * 1024, 0x20);

    test("announced", async () => {
      const answer = await post(path, huge, { "Content-Length": String(huge.length) });
      await expectRefused(binding, answer, "PayloadTooLarge");
    });

    test("in chunks of unknown number", async () => {
      const answer = await post(path, huge, { "Transfer-Encoding": "chunked" });
      await expectRefused(binding, answer, "PayloadTooLarge");
    });

    test("just within the limit is read", async () => {
      const text = `message-only ${"x".repeat(8 * 1024 * 1024)}`;
      const { message } = await ask(at("spec"), binding, "SendMessage", sending(text));
      expect(message?.parts[0]?.text?.length).toBe("[message-only] You said: ".length + text.length);
    });
  });
});
