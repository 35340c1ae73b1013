import { expect, onTestFinished, test, vi } from "vitest";
import { LargeAnswers } from "./large-answers.ts";
import { streamBodyBytes } from "./limits.ts";
import { httpPeer, testClient } from "./peers.fixture.ts";

const MiB = 1024 * 1024;
const event = `data: ${JSON.stringify({ text: "x".repeat(64 * 1024) })}\n\n`;

/** Answers every request with a stream of events that has no end, and counts the bytes of each. */
async function endlessPeer() {
  const written: number[] = [];
  const url = await httpPeer((_request, response) => {
    const nth = written.push(0) - 1;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    const more = (): void => {
      do written[nth]! += event.length;
      while (!response.destroyed && response.write(event));
    };
    response.on("drain", more);
    more();
  });
  return { url, written };
}

test("large answers are read one at a time, in the order in which they came", async () => {
  const large = new LargeAnswers();
  const order: string[] = [];
  const first = large.enter(60_000);
  const [second, third] = [large.enter(60_000), large.enter(60_000)];
  void second.ready!.then(() => order.push("second"));
  void third.ready!.then(() => order.push("third"));
  expect(first.ready).toBeUndefined();
  first.leave();
  await second.ready;
  expect(order).toEqual(["second"]);
  second.leave();
  await third.ready;
  third.leave();
  expect(large.enter(60_000).ready).toBeUndefined();
});

test("one that gives up its place blocks no other, and every wait ends", async () => {
  const large = new LargeAnswers();
  const first = large.enter(60_000);
  large.enter(60_000).leave();
  const third = large.enter(20);
  await third.ready;
  // It was not its turn, so the place is still that of the first one.
  third.leave();
  expect(large.enter(60_000).ready).toBeDefined();
  first.leave();
});

test("after a stream that is too large, the peer gets a lower limit", async () => {
  const { url } = await endlessPeer();
  const client = testClient({});
  const first = await client.request({ method: "GET", url });
  const second = await client.request({ method: "GET", url });
  expect([first.failure?.message, second.failure?.message]).toEqual([
    "the response exceeds 32 MiB",
    "the response exceeds 4 MiB",
  ]);
  // Its events are all there; its bytes are kept as far as a recording has room for them.
  expect(first.http.sse!.events.length * event.length).toBeGreaterThan(31 * MiB);
  expect([first.http.response!.body.length, first.http.response!.bodyTruncated]).toEqual([streamBodyBytes, true]);
});

test("only one of several endless streams is in memory at a time", async () => {
  const { url } = await endlessPeer();
  const client = testClient({});
  const exchanges = await Promise.all(
    Array.from({ length: 6 }, () => client.request({ method: "GET", url, fresh: true })),
  );
  const sizes = exchanges.map(({ http }) => (http.sse?.events.length ?? 0) * event.length);
  expect(exchanges.every(({ failure }) => failure?.code === "too-large")).toBe(true);
  expect(sizes.filter((size) => size > 8 * MiB)).toHaveLength(1);
});

test("a large answer that is legal is read to its end, beside others", async () => {
  const body = JSON.stringify({ text: "y".repeat(12 * MiB) });
  const url = await httpPeer((_request, response) => response.end(body));
  const client = testClient({});
  const exchanges = await Promise.all(
    Array.from({ length: 4 }, () => client.request({ method: "GET", url, fresh: true })),
  );
  expect(exchanges.map(({ failure, http }) => [failure, http.response?.body.length])).toEqual(
    Array.from({ length: 4 }, () => [undefined, body.length]),
  );
});

test("a stream that fails when it becomes large does not hold up later responses", async () => {
  const { url } = await oneLargeEvent();
  const client = testClient({});
  const failed = await client.request({ method: "GET", url });
  expect(failed.failure?.code).toBe("too-large");
  const enter = vi.spyOn(LargeAnswers.prototype, "enter");
  onTestFinished(() => enter.mockRestore());
  expect((await client.request({ method: "GET", url: `${url}/json` })).failure).toBeUndefined();
  expect(enter.mock.results.map(({ value }) => value.ready)).toEqual([undefined]);
});

/** Answers with a stream of one event of 5 MiB, or with as much JSON. */
async function oneLargeEvent() {
  const json = JSON.stringify({ text: "x".repeat(5 * MiB) });
  const url = await httpPeer((request, response) => {
    const isJson = request.url!.endsWith("/json");
    response.writeHead(200, { "Content-Type": isJson ? "application/json" : "text/event-stream" });
    response.end(isJson ? json : `data: ${json}\n\n`);
  });
  return { url };
}
