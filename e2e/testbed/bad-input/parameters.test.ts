import { describe, expect, test } from "vitest";
import {
  ask,
  bindings,
  blamedFields,
  expectNormalService,
  named,
  plain,
  refusal,
  refusedAs,
  say,
  taskFrom,
} from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { bed, at, post, sendBody, expectRefused } = usePlainPosts();

describe("an HTTP+JSON body that is not an object is invalid", () => {
  test.each(["[]", "7", '"text"', "true", "[{}]"])("%s", async (body) => {
    await expectRefused("HTTP+JSON", await post("spec/message:send", body), "InvalidParams");
    await expectRefused("HTTP+JSON", await post("spec/tasks/x:cancel", body), "InvalidParams");
  });

  test("an empty body, null and {} lack the message", async () => {
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

  describe("invalid messages are rejected", () => {
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

    test("one error names many mistakes, up to a limit", async () => {
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

  describe("numbers out of range are rejected", () => {
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

  test("forged, foreign and changed page tokens are rejected", async () => {
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

  describe("missing resources", () => {
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
});
