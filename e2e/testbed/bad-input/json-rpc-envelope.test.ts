import { describe, expect, test } from "vitest";
import { expectNormalService, named } from "../../fixtures/testbed.fixture.ts";
import { usePlainPosts } from "./plain-posts.fixture.ts";

const { bed, post, expectRefused } = usePlainPosts();

describe("a malformed JSON-RPC envelope is an invalid request, with the id if it is readable", () => {
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

  test("params may be absent or null if none are required", async () => {
    for (const params of ["", ',"params":null', ',"params":{}']) {
      const answer = await post("spec", `{"jsonrpc":"2.0","id":1,"method":"ListTasks"${params}}`);
      expect(JSON.parse(answer.text).result.pageSize).toBe(50);
    }
  });

  test("a duplicate key causes no error", async () => {
    const body = '{"jsonrpc":"2.0","id":1,"id":"abc","method":"nope","method":"ListTasks","params":{}}';
    expect(JSON.parse((await post("spec", body)).text)).toEqual({
      jsonrpc: "2.0",
      id: "abc",
      result: expect.anything(),
    });
  });

  test("a member __proto__ does not change prototypes", async () => {
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
