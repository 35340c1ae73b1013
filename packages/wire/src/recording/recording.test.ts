import { expect, test } from "vitest";
import type { Exchange } from "./exchange.ts";
import { Recording } from "./recording.ts";
import { sampleExchange } from "./sample.fixture.ts";

const bytes = (length: number): Uint8Array => Buffer.alloc(length, "x");

test("ids are given in the order requests start", () => {
  const recording = new Recording();
  expect([recording.issueId(), recording.issueId(), recording.issueId()]).toEqual(["x1", "x2", "x3"]);
});

test("finished exchanges are kept and told, until the listener has had enough", () => {
  const recording = new Recording();
  const heard: Exchange[] = [];
  const stop = recording.onExchange((exchange) => heard.push(exchange));
  const [first, second] = [sampleExchange({ id: "x1" }), sampleExchange({ id: "x2" })];
  recording.finish(first);
  stop();
  recording.finish(second);
  expect(recording.exchanges).toEqual([first, second]);
  expect(recording.get("x2")).toBe(second);
  expect(heard).toEqual([first]);
});

test("a recording that keeps nothing still tells its listeners", () => {
  const recording = new Recording({ keep: false });
  const heard: string[] = [];
  recording.onExchange(({ id }) => heard.push(id));
  recording.finish(sampleExchange());
  expect(heard).toEqual(["x1"]);
  expect(recording.exchanges).toEqual([]);
});

test("what does not fit an exchange is dropped, raw bytes before meaning, and every cut is flagged", () => {
  const recording = new Recording({ bytesPerExchange: 100 });
  const whole = sampleExchange({
    transport: { sent: bytes(30), received: bytes(80) },
    request: { body: bytes(10) },
    response: { body: bytes(75) },
  });
  recording.finish(whole);

  const [kept] = recording.exchanges;
  expect(kept).toMatchObject({
    transport: { sent: bytes(15), sentTruncated: true, received: bytes(0), receivedTruncated: true },
    http: {
      request: { body: bytes(10), bodyTruncated: false },
      response: { body: bytes(75), bodyTruncated: false },
    },
  });
  expect(whole.transport.sent).toHaveLength(30);
});

test("a cut body does not keep the whole one in memory", () => {
  const recording = new Recording({ bytesPerExchange: 10 });
  recording.finish(sampleExchange({ id: "x1", response: { body: Buffer.alloc(100_000) } }));
  expect(recording.get("x1")?.http.response?.body.buffer.byteLength).toBe(10);
});

test("events that do not fit are counted", () => {
  const events = ["aaaa", "bbbb", "cccc"].map((data, at) => ({ at, data }));
  const recording = new Recording({ bytesPerExchange: 9 });
  recording.finish(sampleExchange({ sse: { events, eventsDropped: 0, comments: 0, invalidUtf8: false } }));
  expect(recording.exchanges[0]?.http.sse).toMatchObject({ events: events.slice(0, 2), eventsDropped: 1 });
});

test("the run has a cap of its own; exchanges after it keep their heads", () => {
  const recording = new Recording({ bytesPerRun: 50 });
  recording.finish(sampleExchange({ id: "x1", response: { body: bytes(40) } }));
  recording.finish(sampleExchange({ id: "x2", response: { status: 418, body: bytes(40) } }));
  recording.finish(sampleExchange({ id: "x3", response: { body: bytes(40) } }));
  expect(recording.exchanges.map(({ http }) => [http.response?.body.length, http.response?.bodyTruncated])).toEqual([
    [40, false],
    [10, true],
    [0, true],
  ]);
  expect(recording.get("x2")?.http.response?.status).toBe(418);
});
