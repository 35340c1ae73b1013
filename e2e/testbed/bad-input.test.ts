import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import {
  agentMessage,
  ask,
  type Binding,
  bindings,
  blamedFields,
  type ErrorName,
  expectNormalService,
  named,
  type Plain,
  type PlainAnswer,
  plain,
  refusal,
  refusalIn,
  refusedAs,
  say,
  sending,
  taskFrom,
  until,
  useTestbed,
  written,
} from "../fixtures/testbed.fixture.ts";

const bed = useTestbed();
const at = (path: string) => `${bed.url}/${path}`;
const latin1 = (text: string) => Buffer.from(text, "latin1");

const post = (path: string, body: string | Uint8Array, headers: Plain["headers"] = {}) =>
  plain(at(path), {
    method: "POST",
    headers: { "A2A-Version": "1.0", "Content-Type": "application/json", ...headers },
    body,
  });

/** The same body as the parameters of a send on either binding. */
const sendBody = (binding: Binding, params: string, id = '"abc"') =>
  binding === "JSONRPC"
    ? post("spec", `{"jsonrpc":"2.0","id":${id},"method":"SendMessage","params":${params}}`)
    : post("spec/message:send", params);

/** Refused with exactly this error, and the server goes on as before. */
async function expectRefused(binding: Binding, answer: PlainAnswer, error: ErrorName, id: unknown = null) {
  expect(refusalIn(binding, answer)).toEqual(refusedAs(binding, error, id));
  await expectNormalService(bed);
}

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

describe("a JSON-RPC envelope out of order is an invalid request, with the id if it can be read", () => {
  const method = "ListTasks";

  test.each<[string, unknown, unknown]>([
    ["null", null, null],
    ["a number", 7, null],
    ["a string", "ListTasks", null],
    ["true", true, null],
    ["an empty object", {}, null],
    ["an empty batch", [], null],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method }], null],
    ["a batch of nonsense", [1, 2, 3], null],
    ["no jsonrpc", { id: "abc", method }, "abc"],
    ["jsonrpc 1.0", { jsonrpc: "1.0", id: 0, method }, 0],
    ["jsonrpc as a number", { jsonrpc: 2, id: "", method }, ""],
    ["jsonrpc 2.00", { jsonrpc: "2.00", id: 0, method }, 0],
    ["jsonrpc null", { jsonrpc: null, id: -1, method }, -1],
    ["no id", { jsonrpc: "2.0", method }, null],
    ["an id that is true", { jsonrpc: "2.0", id: true, method }, null],
    ["an id that is an object", { jsonrpc: "2.0", id: { a: 1 }, method }, null],
    ["an id that is an array", { jsonrpc: "2.0", id: [0], method }, null],
    ["no method", { jsonrpc: "2.0", id: 0 }, 0],
    ["method null", { jsonrpc: "2.0", id: "", method: null }, ""],
    ["method a number", { jsonrpc: "2.0", id: "abc", method: 1 }, "abc"],
    ["method an array", { jsonrpc: "2.0", id: 0, method: ["ListTasks"] }, 0],
    ["params a string", { jsonrpc: "2.0", id: 0, method, params: "x" }, 0],
    ["params a number", { jsonrpc: "2.0", id: "", method, params: 0 }, ""],
    ["params false", { jsonrpc: "2.0", id: "abc", method, params: false }, "abc"],
  ])("%s", async (_name, envelope, id) => {
    await expectRefused("JSONRPC", await post("spec", JSON.stringify(envelope)), "InvalidRequest", id);
  });

  const ids = [
    0,
    "",
    "abc",
    1,
    -7,
    1.5,
    2 ** 53,
    "0",
    "null",
    "ünïcode 👋",
    'quote " back \\',
    "x".repeat(5_000),
    null,
  ];
  test.each(named<unknown>(ids))("the id %s comes back as it is, with answers and with errors", async (_name, id) => {
    const good = await post("spec", JSON.stringify({ jsonrpc: "2.0", id, method, params: { pageSize: 1 } }));
    expect(JSON.parse(good.text)).toEqual({ jsonrpc: "2.0", id, result: expect.anything() });
    const bad = { jsonrpc: "2.0", id, method: "GetTask", params: { id: "nope" } };
    await expectRefused("JSONRPC", await post("spec", JSON.stringify(bad)), "TaskNotFound", id);
  });

  const methods = ["", "listTasks", "message/send", "tasks/get", "ListTasks ", "__proto__", "x".repeat(100_000)];
  test.each(named(methods))("the method %s is not found", async (_name, unknown) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: unknown, params: {} });
    await expectRefused("JSONRPC", await post("spec", body), "MethodNotFound", 0);
  });

  test("positional params are invalid parameters", async () => {
    const body = '{"jsonrpc":"2.0","id":"","method":"GetTask","params":["t"]}';
    await expectRefused("JSONRPC", await post("spec", body), "InvalidParams", "");
  });

  test.each(["GetTask", "SendMessage", "CancelTask", "SubscribeToTask", "SendStreamingMessage"])(
    "%s without params lacks its required ones",
    async (operation) => {
      for (const params of ["", ',"params":null', ',"params":{}']) {
        const body = `{"jsonrpc":"2.0","id":"abc","method":"${operation}"${params}}`;
        await expectRefused("JSONRPC", await post("spec", body), "InvalidParams", "abc");
      }
    },
  );

  test("params that are absent or null are fine where none are required", async () => {
    for (const params of ["", ',"params":null', ',"params":{}']) {
      const answer = await post("spec", `{"jsonrpc":"2.0","id":1,"method":"ListTasks"${params}}`);
      expect(JSON.parse(answer.text).result.pageSize).toBe(50);
    }
  });

  test("a repeated key does no harm", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"id":"abc","method":"nope","method":"ListTasks","params":{}}';
    expect(JSON.parse((await post("spec", body)).text)).toEqual({
      jsonrpc: "2.0",
      id: "abc",
      result: expect.anything(),
    });
  });

  test("__proto__ as a member pollutes nothing", async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","__proto__":{"polluted":1},"params":{"message":' +
      '{"messageId":"m","role":"ROLE_USER","parts":[{"text":"task-lifecycle x"}],"__proto__":{"polluted":1},' +
      '"metadata":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}}';
    const answer = await post("spec", body);
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)["polluted"]).toBe(undefined);
    await expectNormalService(bed);
  });
});

describe("an HTTP+JSON body that is no object is invalid", () => {
  test.each(["[]", "7", '"text"', "true", "[{}]"])("%s", async (body) => {
    await expectRefused("HTTP+JSON", await post("spec/message:send", body), "InvalidParams");
    await expectRefused("HTTP+JSON", await post("spec/tasks/x:cancel", body), "InvalidParams");
  });

  test("nothing, null and {} are all a message short", async () => {
    for (const body of ["", "null", "{}"]) {
      const answer = await post("spec/message:send", body);
      expect(blamedFields(answer.text)).toEqual(["message"]);
      await expectRefused("HTTP+JSON", answer, "InvalidParams");
    }
  });
});

describe.each(bindings)("over %s", (binding) => {
  test("unknown members are ignored everywhere and not echoed back", async () => {
    const message = {
      ...say("task-lifecycle x"),
      parts: [{ text: "task-lifecycle x", surprise: 1, kind: "text" }],
      surprise: { deep: [1] },
      kind: "message",
    };
    const params = JSON.stringify({
      message,
      surprise: true,
      configuration: { surprise: null, blocking: false },
      metadata: { kept: 1 },
    });
    const answer = await sendBody(binding, params);
    const json = JSON.parse(answer.text);
    const { task } = binding === "JSONRPC" ? json.result : json;
    expect(task.history).toEqual([
      {
        messageId: message.messageId,
        role: "ROLE_USER",
        parts: [{ text: "task-lifecycle x" }],
        contextId: task.contextId,
        taskId: task.id,
      },
    ]);
    expect([answer.text.includes("surprise"), task.metadata]).toEqual([false, { kept: 1 }]);
    expect((await ask(at("spec"), binding, "GetTask", { id: task.id })).history).toEqual(task.history);
  });

  test("snake_case, enum numbers, numeric strings and nulls are read as ProtoJSON allows", async () => {
    const params = JSON.stringify({
      message: {
        message_id: "m-1",
        context_id: null,
        role: 1,
        parts: [{ text: "task-lifecycle x", media_type: null }],
      },
      configuration: { history_length: "0", return_immediately: false, accepted_output_modes: ["text/plain"] },
      tenant: "",
      metadata: null,
    });
    const json = JSON.parse((await sendBody(binding, params)).text);
    const { task } = binding === "JSONRPC" ? json.result : json;
    expect([task.status.state, Object.hasOwn(task, "history"), Object.hasOwn(task, "metadata")]).toEqual([
      "TASK_STATE_COMPLETED",
      false,
      false,
    ]);
  });

  describe("a message has to be one", () => {
    const good = { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "task-lifecycle x" }] };
    const part = (value: unknown) => ({ message: { ...good, parts: [value] } });

    test.each<[string, object, string]>([
      ["no message", {}, "message"],
      ["message null", { message: null }, "message"],
      ["message a string", { message: "hi" }, "message"],
      ["message an array", { message: [good] }, "message"],
      ["no parts", { message: { messageId: "m", role: "ROLE_USER" } }, "message.parts"],
      ["empty parts", { message: { ...good, parts: [] } }, "message.parts"],
      ["parts null", { message: { ...good, parts: null } }, "message.parts"],
      ["parts an object", { message: { ...good, parts: { text: "x" } } }, "message.parts"],
      ["a part without content", part({}), "message.parts[0]"],
      ["a part with two contents", part({ text: "a", url: "https://example.com" }), "message.parts[0]"],
      ["a part with text and data", part({ text: "a", data: {} }), "message.parts[0]"],
      ["a part with all four", part({ text: "a", data: 1, raw: "AAEC", url: "u:x" }), "message.parts[0]"],
      ["a part that is null", part(null), "message.parts[0]"],
      ["a part that is a string", part("hi"), "message.parts[0]"],
      ["text that is a number", part({ text: 7 }), "message.parts[0].text"],
      ["bad base64", part({ raw: "!!!not base64!!!" }), "message.parts[0].raw"],
      ["base64 of a wrong length", part({ raw: "A" }), "message.parts[0].raw"],
      ["base64 with padding inside", part({ raw: "AA=A" }), "message.parts[0].raw"],
      ["base64 with a line break", part({ raw: "AAEC\nAAEC" }), "message.parts[0].raw"],
      ["raw that is a number", part({ raw: 5 }), "message.parts[0].raw"],
      ["no messageId", { message: { role: "ROLE_USER", parts: good.parts } }, "message.messageId"],
      ["an empty messageId", { message: { ...good, messageId: "" } }, "message.messageId"],
      ["a messageId that is an object", { message: { ...good, messageId: {} } }, "message.messageId"],
      ["no role", { message: { messageId: "m", parts: good.parts } }, "message.role"],
      ["the role of 0.3", { message: { ...good, role: "user" } }, "message.role"],
      ["a role out of range", { message: { ...good, role: 99 } }, "message.role"],
      ["a role in an array", { message: { ...good, role: ["ROLE_UNSPECIFIED"] } }, "message.role"],
      ["a role whose toString is no function", { message: { ...good, role: { toString: 1 } } }, "message.role"],
      ["metadata that is an array", { message: { ...good, metadata: [] } }, "message.metadata"],
      ["extensions that are a string", { message: { ...good, extensions: "urn:x" } }, "message.extensions"],
      ["a taskId that is a number", { message: { ...good, taskId: { $ne: 1 } } }, "message.taskId"],
      ["a configuration that is a string", { message: good, configuration: "fast" }, "configuration"],
      [
        "returnImmediately that is a word",
        { message: good, configuration: { returnImmediately: "yes" } },
        "configuration.returnImmediately",
      ],
      [
        "acceptedOutputModes that are numbers",
        { message: good, configuration: { acceptedOutputModes: [1] } },
        "configuration.acceptedOutputModes[0]",
      ],
    ])("%s", async (_name, params, field) => {
      const before = (await ask(at("spec"), binding, "ListTasks", { pageSize: 1 })).totalSize;
      const answer = await sendBody(binding, JSON.stringify(params));
      await expectRefused(binding, answer, "InvalidParams", "abc");
      expect(blamedFields(answer.text)).toEqual([field]);
      expect((await ask(at("spec"), binding, "ListTasks", { pageSize: 1 })).totalSize).toBe(before);
    });

    test("many mistakes are told all at once, within bounds", async () => {
      const parts = Array.from({ length: 500 }, () => ({ text: 1 }));
      const answer = await sendBody(binding, JSON.stringify({ message: { ...good, parts } }));
      expect(blamedFields(answer.text)).toEqual(Array.from({ length: 50 }, (_, n) => `message.parts[${n}].text`));
    });

    test("a lone surrogate in a text is data like any other", async () => {
      const text = '"message-only \\ud800 x"';
      const params = `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":${text}}]}}`;
      const answer = await sendBody(binding, params);
      const json = JSON.parse(answer.text);
      expect((json.result ?? json).message.parts).toEqual([{ text: "[message-only] You said: message-only \ud800 x" }]);
    });
  });

  describe("numbers out of range are refused", () => {
    test.each(["-1", "-5", "2147483648", "99999999999999999999", "1e300", "1.5", '"many"', "true", "{}", "[1]"])(
      "historyLength %s",
      async (value) => {
        const { id } = await taskFrom(at("spec"), binding, "task-lifecycle x");
        const answer =
          binding === "JSONRPC"
            ? await post(
                "spec",
                `{"jsonrpc":"2.0","id":"abc","method":"GetTask","params":{"id":"${id}","historyLength":${value}}}`,
              )
            : await plain(at(`spec/tasks/${id}?historyLength=${encodeURIComponent(value)}`), {
                headers: { "A2A-Version": "1.0" },
              });
        await expectRefused(binding, answer, "InvalidParams", "abc");
        expect(blamedFields(answer.text)).toEqual(["historyLength"]);
      },
    );

    test.each(["-1", "2147483648", "1.5", '"many"'])("historyLength %s in a send", async (value) => {
      const params = `{"message":${JSON.stringify(say("task-lifecycle x"))},"configuration":{"historyLength":${value}}}`;
      const answer = await sendBody(binding, params);
      await expectRefused(binding, answer, "InvalidParams", "abc");
      expect(blamedFields(answer.text)).toEqual(["configuration.historyLength"]);
    });

    test.each(["0", "-1", "101", "150", "2147483647", "2147483648", "1e10", "1.5", '"all"', "true"])(
      "pageSize %s",
      async (value) => {
        const answer =
          binding === "JSONRPC"
            ? await post("spec", `{"jsonrpc":"2.0","id":"abc","method":"ListTasks","params":{"pageSize":${value}}}`)
            : await plain(at(`spec/tasks?pageSize=${encodeURIComponent(value)}`), {
                headers: { "A2A-Version": "1.0" },
              });
        await expectRefused(binding, answer, "InvalidParams", "abc");
        expect(blamedFields(answer.text)).toEqual(["pageSize"]);
      },
    );

    test.each<[string, object]>([
      ["status", { status: "working" }],
      ["status", { status: "TASK_STATE_NOPE" }],
      ["statusTimestampAfter", { statusTimestampAfter: "yesterday" }],
      ["statusTimestampAfter", { statusTimestampAfter: "2026-13-45T99:99:99Z" }],
      ["statusTimestampAfter", { statusTimestampAfter: "2026-01-01T00:00:00+25:00" }],
      ["includeArtifacts", { includeArtifacts: "perhaps" }],
    ])("%s of a listing: %j", async (_field, request) => {
      expect(await refusal(at("spec"), binding, "ListTasks", request)).toEqual(refusedAs(binding, "InvalidParams"));
      await expectNormalService(bed);
    });
  });

  test("page tokens that are forged, borrowed or bent are refused", async () => {
    const contextId = `forged-${binding}`;
    for (let n = 0; n < 3; n++) {
      await ask(at("spec"), binding, "SendMessage", { message: say("task-lifecycle x", { contextId }) });
    }
    const { nextPageToken } = await ask(at("spec"), binding, "ListTasks", { contextId, pageSize: 1 });
    const [body = "", mac = ""] = nextPageToken.split(".");
    const elsewhere = JSON.stringify([0, 0, "11111111-2222-4333-8444-555555555555"]);
    for (const pageToken of [
      "x",
      ".",
      "..",
      "null",
      "AAAA.AAAA",
      body,
      `.${mac}`,
      `${body}.${mac.slice(1)}`,
      `${body}.${mac.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
      `${Buffer.from(elsewhere).toString("base64url")}.${mac}`,
      "\u0000",
      "é👋",
      "x".repeat(4_000),
    ]) {
      const request = { contextId, pageSize: 1, pageToken };
      expect(await refusal(at("spec"), binding, "ListTasks", request)).toEqual(refusedAs(binding, "InvalidParams"));
    }
    const page = await ask(at("spec"), binding, "ListTasks", { contextId, pageSize: 1, pageToken: nextPageToken });
    expect(page.tasks.length).toBe(1);
  });

  describe("what is not there", () => {
    const ids = [
      "nope",
      "11111111-2222-4333-8444-555555555555",
      "../../etc/passwd",
      "%",
      "a/b",
      "é👋",
      "x".repeat(2_000),
    ];
    test.each(named(ids))("the task %s", async (_name, id) => {
      for (const operation of ["GetTask", "CancelTask", "SubscribeToTask"] as const) {
        expect(await refusal(at("spec"), binding, operation, { id })).toEqual(refusedAs(binding, "TaskNotFound"));
      }
      await expectNormalService(bed);
    });

    test("a tenant and a push configuration", async () => {
      expect(await refusal(at("full"), binding, "ListTasks", { tenant: "west" })).toEqual(
        refusedAs(binding, "InvalidParams"),
      );
      const { id: taskId } = await taskFrom(at("full"), binding, "multi-turn x");
      const config = { taskId, id: "nope" };
      expect(await refusal(at("full"), binding, "GetTaskPushNotificationConfig", config)).toEqual(
        refusedAs(binding, "TaskNotFound"),
      );
      await expectNormalService(bed);
    });
  });

  test("the server rejects line breaks in webhook tokens and credentials, which could inject headers", async () => {
    const { id: taskId } = await taskFrom(at("full"), binding, "multi-turn x");
    const url = "http://127.0.0.1:9/hook";
    for (const [field, config] of [
      ["token", { token: "a\r\nX-Injected: 1" }],
      ["token", { token: "a\nb" }],
      ["token", { token: "nul\u0000" }],
      ["token", { token: "über" }],
      ["authentication.credentials", { authentication: { scheme: "Bearer", credentials: "a\r\n\r\nGET / HTTP/1.1" } }],
      ["authentication.scheme", { authentication: { scheme: "Bearer\r\nX: 1", credentials: "c" } }],
    ] as const) {
      const sent = { taskId, url, ...config };
      const answer =
        binding === "JSONRPC"
          ? await post(
              "full",
              JSON.stringify({ jsonrpc: "2.0", id: "abc", method: "CreateTaskPushNotificationConfig", params: sent }),
            )
          : await post(`full/tasks/${taskId}/pushNotificationConfigs`, JSON.stringify(sent));
      await expectRefused(binding, answer, "InvalidParams", "abc");
      expect(blamedFields(answer.text)).toEqual([field]);
      const inline = sending("task-lifecycle x", { taskPushNotificationConfig: { url, ...config } });
      expect(await refusal(at("full"), binding, "SendMessage", inline)).toEqual(refusedAs(binding, "InvalidParams"));
    }
    const { configs } = await ask(at("full"), binding, "ListTaskPushNotificationConfigs", { taskId });
    expect(configs).toEqual([]);
  });

  test("line breaks in a webhook's URL never reach a request line", async () => {
    for (const url of [
      "http://127.0.0.1:9/a\r\nX: 1",
      "http://127.0.0.1:9/a b",
      "http://127.0.0.1:9/\tx",
      " http://x",
    ]) {
      const request = sending("task-lifecycle x", { taskPushNotificationConfig: { url } });
      expect(await refusal(at("full"), binding, "SendMessage", request)).toEqual(refusedAs(binding, "InvalidParams"));
    }
    await expectNormalService(bed);
  });

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
        // On a connection of its own: behind such a request Node 20 does not notice a malformed one before its
        // time-out, which is another matter.
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

  describe("webhooks", () => {
    const notified = (url: string) =>
      taskFrom(at("full"), binding, "task-lifecycle x", { taskPushNotificationConfig: { url } });

    test("a hanging webhook blocks neither the task nor the server", async () => {
      let calls = 0;
      const hanging = createServer(() => calls++);
      await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
      const { id, status } = await notified(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`);
      expect(status.state).toBe("TASK_STATE_COMPLETED");
      await expectNormalService(bed);
      const { configs } = await ask(at("full"), binding, "ListTaskPushNotificationConfigs", { taskId: id });
      const config = { taskId: id, id: configs![0]!.id! };
      expect(await ask(at("full"), binding, "DeleteTaskPushNotificationConfig", config)).toEqual({});
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toBeLessThanOrEqual(1);
      hanging.closeAllConnections();
      hanging.close();
    });

    test("redirects of a webhook are not followed", async () => {
      const seen: string[] = [];
      const redirecting = createServer((request, response) => {
        seen.push(request.url!);
        response.writeHead(307, { Location: "/elsewhere" }).end();
      });
      await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
      const { status } = await notified(`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/hook`);
      expect(status.state).toBe("TASK_STATE_COMPLETED");
      await until(
        async () => seen,
        ({ length }) => length === 3,
      );
      // Three refusals in a row, then it is left alone.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(seen).toEqual(["/hook", "/hook", "/hook"]);
      await expectNormalService(bed);
      redirecting.closeAllConnections();
      redirecting.close();
    });

    test.each(["http://127.0.0.1:1/nobody", "http://does-not-exist.invalid/hook", "https://127.0.0.1:1/"])(
      "the unreachable webhook %s does not affect the task or the server",
      async (url) => {
        const { status } = await notified(url);
        expect(status.state).toBe("TASK_STATE_COMPLETED");
        await expectNormalService(bed);
      },
    );

    test("an invalid response of a webhook does not affect the task or the server", async () => {
      const rude = createServer((request) => request.socket.end("NONSENSE\r\n\r\n"));
      await new Promise<void>((resolve) => rude.listen(0, "127.0.0.1", resolve));
      const { status } = await notified(`http://127.0.0.1:${(rude.address() as AddressInfo).port}/`);
      expect(status.state).toBe("TASK_STATE_COMPLETED");
      await expectNormalService(bed);
      rude.closeAllConnections();
      rude.close();
    });
  });
});

describe("paths and queries of HTTP+JSON that are out of order", () => {
  const get = (path: string) => plain(at(path), { headers: { "A2A-Version": "1.0" } });

  test.each<[string, ErrorName]>([
    ["spec/tasks/%", "InvalidParams"],
    ["spec/tasks/%zz", "InvalidParams"],
    ["spec/tasks/%ff%fe", "InvalidParams"],
    ["spec/tasks/%c0%af", "InvalidParams"],
    ["spec/tasks/%00", "TaskNotFound"],
    ["spec/tasks/a%2fb", "TaskNotFound"],
    ["spec/tasks/..%2f..%2fetc", "TaskNotFound"],
    ["spec/tasks/x?historyLength=%zz", "InvalidParams"],
    ["spec/tasks?pageSize=%ff", "InvalidParams"],
    ["spec/tasks?%zz=1", "InvalidParams"],
    ["spec/%zz/tasks", "InvalidParams"],
    ["spec/%00/tasks", "InvalidParams"],
    ["spec/tasks/x:nope", "TaskNotFound"],
    ["spec/tasks/:cancel", "TaskNotFound"],
    ["%73pec/tasks", "InvalidParams"],
    ["spec/TASKS", "MethodNotFound"],
  ])("/%s", async (path, error) => {
    await expectRefused("HTTP+JSON", await get(path), error);
  });

  test("an id of 8,000 characters is just another unknown one", async () => {
    await expectRefused("HTTP+JSON", await get(`spec/tasks/${"x".repeat(8_000)}`), "TaskNotFound");
  });

  test.each([
    "spec/tasks?",
    "spec/tasks?&&&",
    "spec/tasks?=",
    "spec/tasks?unknown=1&unknown=2",
    "spec/tasks?pageSize=",
  ])("/%s is still a listing", async (path) => {
    const answer = await get(path);
    expect([answer.status, JSON.parse(answer.text).pageSize]).toEqual([200, 50]);
  });
});
