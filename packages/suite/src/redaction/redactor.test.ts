import { grpcV10 } from "@assay/protocol/grpc";
import type { HarEntry } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { ExchangeRecorded, RunEvent } from "../report/events.ts";
import { checked, exchange, result, started } from "../report/run.fixture.ts";
import { redactedJson } from "./redacted-json.ts";
import { Redactor } from "./redactor.ts";

test("a comparison of versions keeps no words of the agent", () => {
  const redactor = new Redactor();
  redactor.event(
    talk({ said: JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32001, message: "Ann left" } }) }),
  );
  const on = { url: "http://agent.test/", dialect: "0.3", binding: "JSONRPC" };
  const told = redactor.event({
    event: "versions-compared",
    older: on,
    newer: { ...on, dialect: "1.0" },
    comparisons: [
      { subject: "unknown task", is: "differs", message: "GetTask returns error -32001 (Ann left) in 0.3" },
      { subject: "state", is: "differs", message: "status.state differs between 0.3 and 1.0" },
      { subject: "list", is: "same" },
    ],
  });
  expect(told).toMatchObject({
    comparisons: [
      { subject: "unknown task", is: "differs", message: "--redact removed the content" },
      { message: "status.state differs between 0.3 and 1.0" },
      { subject: "list", is: "same" },
    ],
  });
});

describe("JSON without its content", () => {
  const redacted = (json: Parameters<typeof redactedJson>[0]) => redactedJson(json, { take() {} });

  test("keeps ids, states, kinds and form", () => {
    const task = {
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-16T04:00:00Z" },
      artifacts: [{ artifactId: "a1", name: "Paris", parts: [{ text: "the capital" }, { data: { city: "Paris" } }] }],
      history: [],
    };
    expect(redacted(task)).toEqual({
      ...task,
      artifacts: [
        {
          artifactId: "a1",
          name: "«redacted: 5 characters»",
          parts: [{ text: "«redacted: 11 characters»" }, { data: { "«redacted»": "«redacted: 16 characters»" } }],
        },
      ],
    });
  });

  test("keeps the code and the reason of an error, and none of its words", () => {
    const info = {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: "TASK_NOT_FOUND",
      metadata: { who: "Ann" },
    };
    expect(redacted({ jsonrpc: "2.0", id: 1, error: { code: -32001, message: "no Ann here", data: [info] } })).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32001,
        message: "«redacted: 11 characters»",
        data: [{ ...info, metadata: { "«redacted»": "«redacted: 13 characters»" } }],
      },
    });
  });

  test("takes a sentence for content wherever it stands, and is the same the second time", () => {
    const odd = { id: "my dear Ann", "her name is Ann": 1 };
    const once = redacted(odd);
    expect(JSON.stringify(once)).not.toContain("Ann");
    expect(redacted(once)).toEqual(once);
  });
});

/** An exchange with these bodies. */
function talk(entry: { asked?: string; said: string; type?: string; url?: string; base64?: true }): ExchangeRecorded {
  const { asked = "", said, type = "application/json", url = "http://agent.test/" } = entry;
  const plain = exchange("x1", 0, 1) as ExchangeRecorded;
  const made = {
    ...plain.entry,
    request: {
      method: "POST",
      url,
      headers: [],
      queryString: [],
      postData: { mimeType: type, text: asked, ...(entry.base64 && { _encoding: "base64" }) },
    },
    response: {
      status: 200,
      statusText: "Ann says so",
      redirectURL: "",
      headers: [
        { name: "Content-Type", value: type },
        { name: "X-Mood", value: "Ann is glad" },
      ],
      content: { size: said.length, mimeType: type, text: said, ...(entry.base64 && { encoding: "base64" }) },
      _error: "reset: Ann hung up",
    },
  } as unknown as HarEntry;
  return { ...plain, operation: "SendMessage", entry: made };
}

const told = (event: RunEvent): string => JSON.stringify(new Redactor().event(event));

describe("an exchange without its content", () => {
  test.each([
    ["JSON", talk({ asked: '{"text":"hello Ann"}', said: '{"text":"I am Ann"}' })],
    ["a page", talk({ said: "<h1>Ann</h1>", type: "text/html" })],
    ["a stream", talk({ said: 'data: {"text":"Ann"}\n\ndata: Ann, unquoted\n\n', type: "text/event-stream" })],
    ["bytes", talk({ said: Buffer.from("Ann").toString("base64"), type: "image/png", base64: true })],
    ["an address", talk({ said: "{}", url: "http://agent.test/tasks/dear%20Ann?q=dear%20Ann" })],
  ])("%s", (_, event) => {
    expect(told(event)).not.toMatch(/Ann|QW5u/);
  });

  test("gRPC stays gRPC", () => {
    const message = {
      messageId: "m1",
      role: "ROLE_USER",
      parts: [{ text: "Ann" }, { raw: "QW5u" }, { data: { a: "Ann" } }],
    };
    const bytes = Buffer.from(grpcV10.writeRequest("SendMessage", { message }));
    const framed = Buffer.concat([Buffer.from([0, 0, 0, 0, bytes.length]), bytes]).toString("base64");
    const url = `http://agent.test${grpcV10.path("SendMessage")}`;
    const event = talk({ asked: framed, said: "", type: "application/grpc+proto", url, base64: true });
    const redacted = new Redactor().event(event) as ExchangeRecorded;
    const again = Buffer.from(redacted.entry.request.postData!.text, "base64");
    expect(again.toString("latin1")).not.toContain("Ann");
    expect(grpcV10.readRequest("SendMessage", again.subarray(5))).toMatchObject({
      message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "«redacted: 3 characters»" }, {}, {}] },
    });
  });

  test("a card is no conversation", () => {
    const { operation: _, ...event } = talk({ said: '{"name":"Ann"}' });
    const card = { ...event, entry: { ...event.entry, request: { ...event.entry.request, method: "GET" } } };
    expect(told(card)).toContain("Ann");
  });
});

describe("a result without the content", () => {
  const redactor = new Redactor();
  redactor.event(talk({ said: '{"text":"Zanzibar is a task"}' }));
  const of = (about: Parameters<typeof result>[1]) => {
    const [event] = checked([result("GET-001", { verdict: "fail", code: "broken", ...about })]);
    return (redactor.event(event!) as Extract<RunEvent, { event: "check-finished" }>).result;
  };

  test("keeps a sentence of ours", () => {
    expect(of({ message: "GetTask answers -32603 for an unknown task" }).message).toBe(
      "GetTask answers -32603 for an unknown task",
    );
  });

  test.each(["it said Zanzibar", 'it said "a task"', "it said {a: 1}"])("and not one that quotes: %s", (message) => {
    expect(
      of({ message, want: message, saw: message, sent: message, repeat: `curl ${message}`, remedy: message }),
    ).toMatchObject({
      message: "breaks the rule (broken); --redact removed the content",
    });
    const { want, saw, sent } = of({ message, want: message, saw: message, sent: message });
    expect([want, saw, sent]).toEqual([undefined, undefined, undefined]);
  });
});

test("the run says that it is redacted", () => {
  expect(new Redactor().event(started)).toMatchObject({ redacted: true });
});
