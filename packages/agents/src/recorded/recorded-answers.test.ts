import type { HarEntry } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { RecordedAnswers } from "./recorded-answers.ts";
import { contentOf, type RequestContent } from "./request-content.ts";
import { movedCard } from "./serve-recorded.ts";

interface Given {
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

const call = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const send = (text: string, more: object = {}, id = "m1"): string =>
  call("SendMessage", { message: { messageId: id, role: "ROLE_USER", parts: [{ text }], ...more } });

const recorded = (body: string, answer: string, { headers = {}, path = "/agent" }: Given = {}): HarEntry =>
  ({
    request: {
      method: "POST",
      url: `https://then.example${path}`,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      postData: { mimeType: "application/json", text: body },
    },
    response: { status: 200, headers: [], content: { text: answer, mimeType: "application/json" } },
  }) as unknown as HarEntry;

const asked = (body: string, { headers = {}, path = "/agent" }: Given = {}): RequestContent =>
  contentOf({ method: "POST", path, headers: Object.entries(headers), body: Buffer.from(body) });

const said = (answers: RecordedAnswers, content: RequestContent): string | undefined =>
  answers.find(content)?.response.content.text;

describe("the answer to a request", () => {
  test("is that to the same parameters, whatever the id of the message", () => {
    const answers = new RecordedAnswers([recorded(send("a"), "A"), recorded(send("b"), "B")]);
    expect(said(answers, asked(send("b", {}, "other")))).toBe("B");
    expect(said(answers, asked(send("c")))).toBeUndefined();
    expect(said(answers, asked(send("a"), { path: "/elsewhere" }))).toBeUndefined();
  });

  test("else that to the same words in the same task", () => {
    const answers = new RecordedAnswers([
      recorded(send("a", { contextId: "c1" }), "A"),
      recorded(send("a", { taskId: "t1" }), "T"),
    ]);
    expect(said(answers, asked(send("a", { contextId: "c2" })))).toBe("A");
    expect(said(answers, asked(send("a", { taskId: "t1", contextId: "c9" })))).toBe("T");
    expect(said(answers, asked(send("a", { taskId: "t2" })))).toBeUndefined();
  });

  test("is the next of several, and the last one stays", () => {
    const poll = call("GetTask", { id: "t1" });
    const answers = new RecordedAnswers([recorded(poll, "working"), recorded(poll, "done")]);
    expect([1, 2, 3].map(() => said(answers, asked(poll)))).toEqual(["working", "done", "done"]);
  });

  test("is one that was given to a request of the same version and login", () => {
    const poll = call("GetTask", { id: "t1" });
    const answers = new RecordedAnswers([
      recorded(poll, "no version"),
      recorded(poll, "not you", { headers: { "A2A-Version": "1.0", Authorization: "Bearer «secret:authorization»" } }),
      recorded(poll, "who are you?", { headers: { "A2A-Version": "1.0" } }),
      recorded(poll, "fine", { headers: { "A2A-Version": "1.0", Authorization: "Bearer «secret:bearer»" } }),
    ]);
    const [version, login] = [{ "a2a-version": "1.0" }, { authorization: "Bearer mine" }];
    expect(said(answers, asked(poll, { headers: { ...version, ...login } }))).toBe("fine");
    expect(said(answers, asked(poll, { headers: version }))).toBe("who are you?");
    expect(said(answers, asked(poll))).toBe("no version");
  });
});

test("a card is moved with its addresses, and loses signatures that were made for others", () => {
  const card = {
    name: "https is a word",
    supportedInterfaces: [
      { url: "https://then.example/agent", protocolBinding: "JSONRPC" },
      { url: "then.example:50051", protocolBinding: "GRPC" },
    ],
    provider: { url: "https://then.example.org/" },
    signatures: [{}],
  };
  const interfaces = ["https://then.example/agent", "http://then.example:50051"];
  expect(movedCard(card, interfaces, "http://127.0.0.1:4040")).toEqual({
    name: "https is a word",
    supportedInterfaces: [
      { url: "http://127.0.0.1:4040/agent", protocolBinding: "JSONRPC" },
      { url: "127.0.0.1:4040", protocolBinding: "GRPC" },
    ],
    provider: { url: "https://then.example.org/" },
  });
});

test("a request that nests 100,000 levels deep is compared as text", () => {
  const deep = `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(asked(deep)).toMatchObject({ asked: "POST /agent", params: deep, id: undefined });
});
