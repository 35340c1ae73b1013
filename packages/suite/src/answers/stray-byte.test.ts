import { expect, test } from "vitest";
import { strayByteIn } from "./unreadable-events.ts";

test.each([
  ["valid JSON", '{"a":1}', undefined],
  ["a record separator before it", '\u001e{"a":1}', { name: "0x1E", at: 0 }],
  ["a byte order mark before it", '\ufeff{"a":1}', { name: "0xEF", at: 0 }],
  ["a comma behind it", '{"ä":1},', { name: "0x2C", at: 8 }],
  ["a bare control character in a text", '{"a":"b\u0007"}', { name: "0x07", at: 7 }],
  ["JSON that is cut off", '{"a":', undefined],
  ["no JSON at all", "hello", undefined],
  ["nothing", "", undefined],
])("%s", (_, data, stray) => expect(strayByteIn(data)).toEqual(stray));
