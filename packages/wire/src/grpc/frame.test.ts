import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FrameError, FrameReader, frame } from "./frame.ts";

/** Feeds the bytes in pieces of these sizes, over and over. */
function readInPieces(reader: FrameReader, bytes: Buffer, sizes: readonly number[]): string[] {
  const messages: string[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    for (const message of reader.push(bytes.subarray(at, at + size))) messages.push(message.toString("hex"));
    at += size;
  }
  return messages;
}

function compressed(message: Uint8Array): Buffer {
  const bytes = frame(gzipSync(message));
  bytes[0] = 1;
  return bytes;
}

const hex = (message: Uint8Array): string => Buffer.from(message).toString("hex");
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const message = fc.uint8Array({ maxLength: 60 });

test("messages are the same wherever the bytes are split", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(message, fc.boolean()), { maxLength: 8 }), sizes, (messages, pieces) => {
      const bytes = Buffer.concat(messages.map(([one, packed]) => (packed ? compressed(one) : frame(one))));
      const reader = new FrameReader(60, "gzip");
      expect(readInPieces(reader, bytes, pieces)).toEqual(messages.map(([one]) => hex(one)));
      expect(reader.isBetweenMessages).toBe(true);
    }),
  );
});

test("the messages before a broken one are handed out, wherever the bytes are split", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), sizes, (messages, pieces) => {
      const bytes = Buffer.concat([...messages.map(frame), Buffer.from([7, 0, 0, 0, 0])]);
      const reader = new FrameReader(60);
      const seen: string[] = [];
      expect(() => {
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = pieces[turn % pieces.length]!;
          for (const one of reader.push(bytes.subarray(at, at + size))) seen.push(hex(one));
          at += size;
        }
      }).toThrow(FrameError);
      expect(seen).toEqual(messages.map(hex));
    }),
  );
});

test("a beginning is told from an end", () => {
  const reader = new FrameReader(60);
  const bytes = frame(Buffer.from("hello"));
  for (let length = 1; length < bytes.length; length++) {
    expect([...reader.push(bytes.subarray(length - 1, length))]).toEqual([]);
    expect(reader.isBetweenMessages).toBe(false);
  }
  expect([...reader.push(bytes.subarray(-1))].map(String)).toEqual(["hello"]);
  expect(reader.isBetweenMessages).toBe(true);
});

const broken = (bytes: Buffer, coding?: string): FrameError => {
  try {
    for (const _ of new FrameReader(1000, coding).push(bytes));
  } catch (error) {
    return error as FrameError;
  }
  throw new Error("it was read");
};

test("a message larger than the limit is refused by its length alone", () => {
  const { kind, message: text } = broken(Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]));
  expect([kind, text]).toEqual(["too-large", "a message of 2147483647 bytes (maximum: 1000)"]);
});

test("a bomb is not unpacked", () => {
  expect(broken(compressed(Buffer.alloc(1_000_000)), "gzip").kind).toBe("too-large");
});

test.each([
  ["a flag that means nothing", Buffer.from([2, 0, 0, 0, 0]), "gzip", 'a message with flag 2 and the encoding "gzip"'],
  [
    "compressed though nothing was agreed on",
    compressed(Buffer.of(1)),
    undefined,
    'with flag 1 and the encoding "identity"',
  ],
  [
    "bytes that are no gzip",
    Buffer.from([1, 0, 0, 0, 1, 9]),
    "gzip",
    "a compressed message that cannot be decompressed",
  ],
])("%s is malformed", (_what, bytes, coding, text) => {
  const error = broken(bytes, coding);
  expect(error.kind).toBe("malformed");
  expect(error.message).toContain(text);
});

test("a coding we do not know is told apart from what is broken", () => {
  const error = broken(compressed(Buffer.of(1)), "snappy");
  expect([error.kind, error.message]).toEqual(["unknown-coding", 'a message with the encoding "snappy"']);
});

test("a message that comes byte by byte costs no more than its bytes", () => {
  const size = 2_000_000;
  const reader = new FrameReader(size);
  const bytes = frame(Buffer.alloc(size, 7));
  let seen = 0;
  for (let at = 0; at < bytes.length; at++) {
    for (const one of reader.push(bytes.subarray(at, at + 1))) seen += one.length;
  }
  // Copying everything for each byte takes minutes, and the test is over before.
  expect(seen).toBe(size);
});
