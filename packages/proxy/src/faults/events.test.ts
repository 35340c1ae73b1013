import { expect, test } from "vitest";
import { bytesOf, ofChunks } from "./answer.ts";
import { type EditEvent, editEvents } from "./events.ts";

const streamOf = (text: string, size: number, type = "text/event-stream") => {
  const bytes = Buffer.from(text, "latin1");
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return {
    status: 200,
    statusText: "",
    headers: [["content-type", type]] as const,
    body: ofChunks(chunks),
    trailers: () => [],
  };
};

const second: EditEvent = (event, number) => (event && number === 2 ? [] : event ? [event] : []);

test.each([1, 7, 1_000])("an event is found whatever the chunks are (%i bytes)", async (size) => {
  const text = ": hello\n\ndata: 1\r\n\r\n: still here\n\nid: 2\ndata: 2\n\ndata: 3\r\rdata: unfinished";
  const edited = editEvents(streamOf(text, size), second);
  expect(String(await bytesOf(edited.body))).toBe(
    ": hello\n\ndata: 1\r\n\r\n: still here\n\ndata: 3\r\rdata: unfinished",
  );
});

test.each([1, 4, 100])("a gRPC message is an event (%i bytes)", async (size) => {
  const frame = (text: string): string => `\0\0\0\0${String.fromCharCode(text.length)}${text}`;
  const edited = editEvents(streamOf(["one", "two!", "three"].map(frame).join(""), size, "application/grpc"), second);
  expect(String(await bytesOf(edited.body))).toBe([frame("one"), frame("three")].join(""));
});

test("a response that is not a stream stays as it is", () => {
  const answer = streamOf("{}", 2, "application/json");
  expect(editEvents(answer, second)).toBe(answer);
});
