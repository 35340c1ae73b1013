import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { anId, ask, plain, sending } from "../../fixtures/testbed.fixture.ts";
import { useOlderWires } from "./wires.fixture.ts";

const { bed, at } = useOlderWires();

describe("the version of a call to /spec", () => {
  const post = async (method: string, params: object, headers: Record<string, string> = {}, agent = "spec") => {
    const answer = await plain(`${bed.url}/${agent}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return JSON.parse(answer.text) as { result?: JsonObject; error?: { code: number; data: unknown } };
  };
  const message = { messageId: "m", role: "user", kind: "message", parts: [{ kind: "text", text: "message-only x" }] };

  test.each<[string, Record<string, string>]>([
    ["no version", {}],
    ["an empty one", { "A2A-Version": "" }],
    ["0.3", { "A2A-Version": "0.3" }],
    ["0.3.0", { "A2A-Version": "0.3.0" }],
  ])("a slash method with %s is 0.3", async (_name, headers) => {
    expect((await post("message/send", { message }, headers)).result?.["kind"]).toBe("message");
  });

  test("a slash method that asks for 1.0 does not exist there", async () => {
    expect((await post("message/send", { message }, { "A2A-Version": "1.0" })).error?.code).toBe(-32601);
  });

  test("an agent without 0.3 refuses it", async () => {
    expect((await post("message/send", { message }, {}, "minimal")).error?.code).toBe(-32009);
    const answer = await plain(`${bed.url}/minimal/v1/tasks/x`);
    expect([answer.status, JSON.parse(answer.text).error.details[0].reason]).toEqual([400, "VERSION_NOT_SUPPORTED"]);
  });

  test("/spec/v1 is 0.3 without a version, and the same as /spec with 1.0", async () => {
    const { task } = await ask(at("spec")(), "JSONRPC", "SendMessage", sending("task-lifecycle x"));
    const read = async (headers: Record<string, string>) => {
      const answer = await plain(`${bed.url}/spec/v1/tasks/${task!.id}`, { headers });
      return [answer.headers["content-type"], JSON.parse(answer.text).history[0]];
    };
    const said = { messageId: anId, contextId: task!.contextId, taskId: task!.id, role: "ROLE_USER" };
    expect(await read({})).toEqual(["application/json", { ...said, content: [{ text: "task-lifecycle x" }] }]);
    expect(await read({ "A2A-Version": "0.3" })).toEqual(await read({}));
    expect(await read({ "A2A-Version": "1.0" })).toEqual([
      "application/a2a+json",
      { ...said, parts: [{ text: "task-lifecycle x" }] },
    ]);
  });

  test("an agent of 0.3 accepts the additions of a 1.0 client", async () => {
    const answer = await post("message/send", { message }, { "A2A-Version": "1.0" }, "spec03");
    expect(answer.result?.["kind"]).toBe("message");
    expect((await post("SendMessage", {}, { "A2A-Version": "1.0" }, "spec03")).error?.code).toBe(-32601);
  });
});
