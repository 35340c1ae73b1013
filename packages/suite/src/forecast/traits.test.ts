import { expect, test } from "vitest";
import type { ExchangeRecorded } from "../report/events.ts";
import { answersIn } from "./answers.ts";

function answered(operation: string, text: string, params: object = { message: { messageId: "m", parts: [] } }) {
  return {
    event: "exchange",
    id: "x1",
    operation,
    working: true,
    entry: {
      request: { url: "http://127.0.0.1/", postData: { text: JSON.stringify({ jsonrpc: "2.0", params }) } },
      response: { status: 200, content: { text } },
    },
  } as unknown as ExchangeRecorded;
}

const rpc = (result: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, result });
const task = (state: string, more: object = {}): object => ({ id: "t", status: { state }, ...more });
const word = { artifactId: "a", parts: [{ text: "word" }] };

test.each([
  ["a 1.0 task", rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word] }) }), ["task"], []],
  ["a 0.3 task", rpc({ kind: "task", ...task("completed", { artifacts: [word] }) }), ["task"], []],
  ["a message", rpc({ message: { parts: [{ text: "hi" }] } }), ["message"], []],
  [
    "text in the status",
    rpc({ task: { status: { state: "TASK_STATE_COMPLETED", message: word } } }),
    ["status-text"],
    [],
  ],
  ["a task at work", rpc({ task: task("TASK_STATE_WORKING") }), ["early-task"], []],
  ["a question", rpc({ task: task("TASK_STATE_INPUT_REQUIRED") }), undefined, ["input-required"]],
  [
    "a file beside text",
    rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word, { parts: [{ url: "http://x" }] }] }) }),
    ["task"],
    ["files"],
  ],
  ["nothing that can be read", "<html>", undefined, []],
])("%s", (_what, text, answers, also) => {
  const read = answersIn([answered("SendMessage", text)]);
  expect([read.answers.SendMessage, read.also]).toEqual([answers && [answers], also]);
});

test("a stream is read as a whole, and chunks are noticed", () => {
  const events = [
    { task: task("TASK_STATE_WORKING") },
    { artifactUpdate: { artifact: word, lastChunk: true } },
    { artifactUpdate: { artifact: word, append: true, lastChunk: true } },
    { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
  ];
  const text = events.map((event) => `data: ${rpc(event)}\n\n`).join("");
  expect(answersIn([answered("SendStreamingMessage", text)]).answers).toEqual({ SendStreamingMessage: [["chunks"]] });
  const whole = events
    .toSpliced(2, 1)
    .map((event) => `data: ${rpc(event)}\n\n`)
    .join("");
  expect(answersIn([answered("SendStreamingMessage", whole)]).answers).toEqual({ SendStreamingMessage: [["task"]] });
});

test("an artifact that no event closes is noticed", () => {
  const events = [
    { artifactUpdate: { artifact: word } },
    { statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
  ];
  const text = events.map((event) => `data: ${rpc(event)}\n\n`).join("");
  expect(answersIn([answered("SendStreamingMessage", text)]).answers).toEqual({
    SendStreamingMessage: [["open-artifact"]],
  });
});

test("answers to messages that ask for an early answer, or go on with a task, are not ordinary", () => {
  const early = rpc({ task: task("TASK_STATE_WORKING") });
  const message = { messageId: "m", parts: [] };
  const asked = [
    { message, configuration: { returnImmediately: true } },
    { message, configuration: { blocking: false } },
    { message: { ...message, taskId: "t" } },
  ].map((params) => answered("SendMessage", early, params));
  expect(answersIn(asked)).toEqual({ answers: {}, also: [] });
});

test("a prompt that was sent but not streamed counts for streams as well, unless its task came early", () => {
  const message = (text: string) => ({ message: { messageId: "m", parts: [{ text }] } });
  const stream = answered("SendStreamingMessage", `data: ${rpc({ message: word })}\n\n`, message("stream"));
  const early = answered("SendMessage", rpc({ task: task("TASK_STATE_WORKING") }), message("slow"));
  const sent = answered(
    "SendMessage",
    rpc({ task: task("TASK_STATE_COMPLETED", { artifacts: [word] }) }),
    message("send"),
  );
  expect(answersIn([stream, early, sent]).answers).toEqual({
    SendMessage: [["early-task"], ["task"]],
    SendStreamingMessage: [["message"], ["task"]],
  });
  expect(answersIn([sent]).answers).toEqual({ SendMessage: [["task"]] });
});
