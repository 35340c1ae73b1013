import { expect, test } from "vitest";
import type { Message, StreamResponse, Task } from "../../model.ts";
import { startExchange } from "../exchange.ts";
import { v01 } from "./dialect.ts";

const reply: Message = { messageId: "m-2", contextId: "c-1", role: "ROLE_AGENT", parts: [{ text: "04:12" }] };
const task: Task = {
  id: "t-1",
  contextId: "c-1",
  status: { state: "TASK_STATE_WORKING" },
  artifacts: [
    { artifactId: "tides", parts: [{ text: "HW" }] },
    { artifactId: "chart", parts: [{ url: "https://saltmarsh.example/c.png" }] },
  ],
  history: [{ ...reply, role: "ROLE_USER" }],
  metadata: { desk: 7 },
};
const chunk = (artifactId: string): StreamResponse => ({
  artifactUpdate: { taskId: "t-1", contextId: "c-1", artifact: { artifactId, parts: [{ text: "+" }] }, append: true },
});
const status = (state: Task["status"]["state"]): StreamResponse => ({
  statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state } },
});

test("the task that opens a stream becomes a status and one event per artifact, numbered as first seen", () => {
  const exchange = startExchange();
  const frames = [{ task }, chunk("chart"), chunk("log"), chunk("tides"), status("TASK_STATE_COMPLETED")].flatMap(
    (event) => v01.writeEvents(event, exchange),
  );
  expect(frames).toEqual([
    { id: "t-1", status: { state: "working" }, final: false, metadata: { desk: 7 } },
    { id: "t-1", artifact: { index: 0, parts: [{ type: "text", text: "HW" }] } },
    { id: "t-1", artifact: { index: 1, parts: [{ type: "file", file: { uri: "https://saltmarsh.example/c.png" } }] } },
    { id: "t-1", artifact: { index: 1, parts: [{ type: "text", text: "+" }], append: true } },
    { id: "t-1", artifact: { index: 2, parts: [{ type: "text", text: "+" }], append: true } },
    { id: "t-1", artifact: { index: 0, parts: [{ type: "text", text: "+" }], append: true } },
    { id: "t-1", status: { state: "completed" }, final: true },
  ]);
});

test("the first event introduces the task; a client that named its session finds it again in every event", () => {
  const exchange = startExchange(() => "x");
  v01.writeRequest("SendStreamingMessage", { message: { ...reply, contextId: "c-1", taskId: "t-1" } }, exchange);
  const writer = startExchange();
  const events = [{ task }, status("TASK_STATE_COMPLETED")]
    .flatMap((event) => v01.writeEvents(event, writer))
    .flatMap((frame) => v01.readEvents(frame, exchange).value!);
  expect(events).toEqual([
    { task: { id: "t-1", contextId: "c-1", status: { state: "TASK_STATE_WORKING" }, metadata: { desk: 7 } } },
    {
      artifactUpdate: {
        taskId: "t-1",
        contextId: "c-1",
        artifact: { artifactId: "v01-artifact-0", parts: [{ text: "HW" }] },
      },
    },
    {
      artifactUpdate: {
        taskId: "t-1",
        contextId: "c-1",
        artifact: { artifactId: "v01-artifact-1", parts: [{ url: "https://saltmarsh.example/c.png" }] },
      },
    },
    status("TASK_STATE_COMPLETED"),
  ]);
});

test("a stream that starts with an artifact is introduced by a working task", () => {
  const frame = { id: "t-1", artifact: { parts: [{ type: "text", text: "HW" }], lastChunk: true } };
  expect(v01.readEvents(frame).value).toEqual([
    { task: { id: "t-1", contextId: "v01-context-t-1", status: { state: "TASK_STATE_WORKING" } } },
    {
      artifactUpdate: {
        taskId: "t-1",
        contextId: "v01-context-t-1",
        artifact: { artifactId: "v01-artifact-0", parts: [{ text: "HW" }] },
        lastChunk: true,
      },
    },
  ]);
});

test("a finished task puts its artifacts first, so that the final event is the last; then nothing is written", () => {
  const exchange = startExchange();
  const finished = { task: { ...task, status: { state: "TASK_STATE_REJECTED" as const } } };
  const frames = v01.writeEvents(finished, exchange);
  expect(frames.map((frame) => Object.keys(frame as object)[1])).toEqual(["artifact", "artifact", "status"]);
  expect(frames.at(-1)).toEqual({ id: "t-1", status: { state: "failed" }, final: true, metadata: { desk: 7 } });
  expect(v01.writeEvents(finished, exchange)).toEqual([]);
});

test("an interrupted state is final where the stream ends, and only there", () => {
  const asking = status("TASK_STATE_INPUT_REQUIRED");
  const final = (last: boolean) => v01.writeEvents(asking, startExchange(), { last })[0];
  expect([final(true), final(false)]).toMatchObject([{ final: true }, { final: false }]);
});

test("a message answers as a finished task under the client's id, and the mark undoes it", () => {
  const server = startExchange(() => "x");
  const request = { id: "mine", message: { role: "user", parts: [] } };
  v01.readRequest("SendMessage", request, server);
  const answer = v01.writeAnswer("SendMessage", { message: reply }, server);
  expect(answer).toEqual({
    id: "mine",
    sessionId: "c-1",
    status: { state: "completed", message: { role: "agent", parts: [{ type: "text", text: "04:12" }] } },
    metadata: { message_reply_compat: true },
  });
  const back = { ...reply, messageId: "v01-1" };
  expect(v01.readAnswer("SendMessage", answer).value).toEqual({ message: back });

  const client = { ...startExchange(), contextId: "c-1" };
  const [frame] = v01.writeEvents({ message: reply }, server);
  expect(v01.readEvents(frame, client).value).toEqual([{ message: back }]);
});

test("a new task goes out under an id that the exchange remembers; a context of our making is no session", () => {
  const exchange = startExchange(() => "fresh");
  const message: Message = { ...reply, contextId: "v01-context-fresh" };
  expect(v01.writeRequest("SendMessage", { message }, exchange)).toEqual({
    id: "fresh",
    message: { role: "agent", parts: [{ type: "text", text: "04:12" }] },
  });
  expect(exchange.taskId).toBe("fresh");
});

test("an artifact that came from 0.1 goes back under its own number", () => {
  const [frame] = v01.writeEvents(chunk("v01-artifact-7"), startExchange());
  expect(frame).toMatchObject({ artifact: { index: 7 } });
});
