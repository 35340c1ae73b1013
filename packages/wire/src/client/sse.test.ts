import fc from "fast-check";
import { expect, test } from "vitest";
import type { Failure, SseEvent, SseRecord } from "../recording/exchange.ts";
import { createSseReader } from "./sse.ts";

function read(chunks: readonly (string | Uint8Array)[], limits: { maxEvents?: number; maxEventSize?: number } = {}) {
  const heard: SseEvent[] = [];
  const failures: Failure[] = [];
  let now = 0;
  const reader = createSseReader({
    clock: () => now,
    maxEvents: limits.maxEvents ?? 1_000,
    maxEventSize: limits.maxEventSize ?? 100_000,
    onEvent: (event) => heard.push(event),
    onOverflow: (failure) => failures.push(failure),
  });
  for (const chunk of chunks) {
    reader.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    now += 1;
  }
  const record: SseRecord = reader.end({ complete: true });
  expect(heard).toEqual(record.events);
  return { ...record, failures };
}

const dataOf = (chunks: readonly (string | Uint8Array)[]) => read(chunks).events.map(({ data }) => data);

test.each([
  ["LF", ["data: a\n\ndata: b\n\n"]],
  ["CRLF", ["data: a\r\n\r\ndata: b\r\n\r\n"]],
  ["CR", ["data: a\r\rdata: b\r\r"]],
  ["a mixture", ["data: a\r\n\rdata: b\n\r\n"]],
  ["CRLF torn apart", ["data: a\r", "\n\r", "\ndata: b\r", "\n", "\r\n"]],
  ["a BOM in front", ["\ufeffdata: a\n\ndata: b\n\n"]],
  ["comments and unknown fields between", [": hi\ndata: a\nfoo: bar\n\n:\n\ndata: b\nretry: 10\n\n"]],
])("events are separated by %s", (_how, chunks) => {
  expect(dataOf(chunks)).toEqual(["a", "b"]);
});

test("an event that ends in CR is dated by its own arrival, not by the next one's", () => {
  expect(read(["data: a\r\r", "data: b\r\r"]).events).toEqual([
    { at: 0, data: "a" },
    { at: 1, data: "b" },
  ]);
});

test("several data lines are one event", () => {
  expect(dataOf(["data: a\ndata:\ndata:  b\n\n"])).toEqual(["a\n\n b"]);
});

test("text after the last blank line is not an event, but is reported", () => {
  expect(read(["data: a\n\ndata: half"])).toMatchObject({ events: [{ data: "a" }], unfinished: "half" });
  expect(read(["data: a\n\n: bye\n"])).not.toHaveProperty("unfinished");
});

test("comments are counted", () => {
  expect(read([":\n: ping\n\ndata: a\n:x\n\n"]).comments).toBe(3);
});

test.each([
  ["a broken byte", [Buffer.from("data: a"), Uint8Array.of(0xff), Buffer.from("\n\n")], "a\ufffd", true],
  ["a character cut off at the end", [Buffer.from("data: a\n\n"), Uint8Array.of(0xe2, 0x82)], "a", true],
  ["a replacement character of the peer's own", [Buffer.from("data: \ufffd\n\n")], "\ufffd", false],
  ["a character in two pieces", [Buffer.from("data: "), Uint8Array.of(0xc3), Uint8Array.of(0xa4, 10, 10)], "ä", false],
])("%s: invalid UTF-8 is a fact, not an exception", (_what, chunks, data, invalidUtf8) => {
  expect(read(chunks)).toMatchObject({ events: [{ data }], invalidUtf8 });
});

test("nothing is read past a limit", () => {
  const many = read(["data: a\n\n".repeat(5), "data: b\n\n"], { maxEvents: 3 });
  expect(many.events).toHaveLength(3);
  expect(many.failures).toEqual([{ code: "too-many-events", message: "more than 3 events arrived" }]);

  const large = [read(["data: ", "x".repeat(60), "x".repeat(60)], { maxEventSize: 100 })];
  large.push(read([`data: ${"x".repeat(101)}\n\n`, "data: a\n\n"], { maxEventSize: 100 }));
  large.push(read(["data: x\n".repeat(60), "data: x\n".repeat(60)], { maxEventSize: 100 }));
  for (const { events, failures } of large) {
    expect(events).toEqual([]);
    expect(failures).toEqual([{ code: "too-large", message: "one event exceeds 100 characters" }]);
  }
});

test("any list of events survives any line ends and any cuts", () => {
  const line = fc.string({ unit: "grapheme" }).map((value) => value.replace(/[\r\n\0]/g, "").replace(/^\ufeff/, ""));
  const event = fc.record(
    { event: line.filter(Boolean), id: line, data: fc.array(line, { minLength: 1, maxLength: 4 }) },
    { requiredKeys: ["data"] },
  );
  const lineEnd = fc.constantFrom("\n", "\r", "\r\n");

  fc.assert(
    fc.property(fc.array(event), fc.infiniteStream(lineEnd), fc.infiniteStream(fc.nat(40)), (events, ends, cuts) => {
      const end = (): string => ends.next().value;
      // "\r" followed by "\n" would be one line end, so an empty line is never written that way.
      const blank = (last: string): string => (last === "\r" ? "\r" : end());
      const wire = events
        .map(({ event: name, id, data }) => {
          const fields = [
            ...(name === undefined ? [] : [`event: ${name}`]),
            ...(id === undefined ? [] : [`id: ${id}`]),
            ...data.map((part) => `data: ${part}`),
          ];
          const last = end();
          return `${fields.map((field, index) => field + (index === fields.length - 1 ? last : end())).join("")}${blank(last)}`;
        })
        .join(": comment\n");
      const bytes = Buffer.from(wire);
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; ) {
        const to = at + cuts.next().value;
        chunks.push(bytes.subarray(at, to));
        at = to;
      }
      expect(read(chunks).events.map(({ at: _at, ...rest }) => rest)).toEqual(
        events.map(({ data, ...rest }) => ({ ...rest, data: data.join("\n") })),
      );
    }),
  );
});
