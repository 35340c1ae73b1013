import { describe, expect, test } from "vitest";
import { ask, bindings, say } from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { at, post, sendBody, expectRefused } = usePlainPosts();

const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("malformed JSON is a parse error", () => {
  const cases: [string, string | Uint8Array][] = [
    ["an open brace", "{"],
    ["a trailing comma", '{"jsonrpc":"2.0","id":1,"method":"ListTasks",}'],
    ["single quotes", "{'jsonrpc':'2.0'}"],
    ["two values", '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}{}'],
    ["NaN", '{"jsonrpc":"2.0","id":NaN,"method":"ListTasks"}'],
    ["a comment", '{"jsonrpc":"2.0",/* */"id":1,"method":"ListTasks"}'],
    ["a raw line break in a string", '{"jsonrpc":"2.0","id":"a\nb","method":"ListTasks"}'],
    ["a byte order mark", '\ufeff{"jsonrpc":"2.0","id":1,"method":"ListTasks"}'],
    ["UTF-16", Buffer.from('{"jsonrpc":"2.0","id":1}', "utf16le")],
    ["a cut-off string", '{"jsonrpc":"2.0","id":"ab'],
    ["only blanks", "   \r\n "],
    ["HTML", "<html></html>"],
    ["zero bytes", Buffer.alloc(64)],
    ["a stray byte of UTF-8", latin1('{"jsonrpc":"2.0","id":"\xff","method":"ListTasks"}')],
    ["an overlong form", latin1('{"jsonrpc":"2.0","id":"\xc0\xaf","method":"ListTasks"}')],
    ["a surrogate in UTF-8", latin1('{"jsonrpc":"2.0","id":"\xed\xa0\x80","method":"ListTasks"}')],
    ["a cut-off character", latin1('{"jsonrpc":"2.0","id":"\xe2\x82"}')],
    ["100,000 open brackets", "[".repeat(100_000)],
    ["100,000 nested arrays", "[".repeat(100_000) + "]".repeat(100_000)],
    ["100,000 nested objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ];

  test.each(cases)("JSONRPC: %s", async (_name, body) => {
    await expectRefused("JSONRPC", await post("spec", body), "Parse");
  });
  test.each(cases)("HTTP+JSON: %s", async (_name, body) => {
    await expectRefused("HTTP+JSON", await post("spec/message:send", body), "Parse");
  });

  test("JSONRPC: an empty body", async () => {
    await expectRefused("JSONRPC", await post("spec", ""), "Parse");
  });

  test.each(bindings)("%s: the server rejects metadata nested 100,000 levels deep", async (binding) => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const params = `{"message":${JSON.stringify(say("message-only x"))},"metadata":${deep}}`;
    await expectRefused(binding, await sendBody(binding, params), "Parse");
  });

  test.each(bindings)("%s: nesting within reason is served and comes back", async (binding) => {
    const deep = JSON.parse(`${'{"a":'.repeat(80)}1${"}".repeat(80)}`);
    const { task } = await ask(at("spec"), binding, "SendMessage", {
      message: say("task-lifecycle x"),
      metadata: deep,
    });
    expect(task!.metadata).toEqual(deep);
  });
});
