import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { bodyJson, eventJson } from "./body-json.ts";

const long = "long text ".repeat(1_000);
const values = [
  { text: long },
  [long, long, [long], { [long]: long }, 1, null, true],
  { text: `${long}"quoted"\n`, escaped: `${"é\\ ".repeat(2_000)}\u0000` },
  JSON.parse(`{"__proto__":"${long}","toString":{"a":"${long}"}}`) as object,
  long,
];

test.each(values)("the JSON of a long event is what JSON.parse returns, value %#", (value) => {
  const data = JSON.stringify(value);
  expect(JSON.stringify(eventJson({ at: 1, data }))).toBe(data);
});

test("an event is parsed once for all readers, and so is one that is not JSON", () => {
  const events = [JSON.stringify({ text: long }), `{"text":${long}`].map((data) => ({ at: 1, data }));
  const parse = vi.spyOn(JSON, "parse");
  const read = events.flatMap((event) => [event, event, event].map((each) => attempt(() => eventJson(each))));
  expect(parse).toHaveBeenCalledTimes(2);
  parse.mockRestore();
  expect(read[1]).toBe(read[0]);
  expect(read.map((each) => each instanceof Error)).toEqual([false, false, false, true, true, true]);
});

test("a body that is no stream is read without changes", () => {
  expect(bodyJson(Buffer.from(JSON.stringify({ text: long })))).toEqual({ text: long });
});

test("the texts of long events are kept once, not in the data and in the JSON", () => {
  const events = Array.from({ length: 256 }, (_, index) => {
    const data = Buffer.from(JSON.stringify({ text: `${index} ${"x".repeat(32_768)}` })).toString("latin1");
    return { at: index, data };
  });
  const before = usedBytes();
  const read = events.map(eventJson);
  expect(usedBytes() - before).toBeLessThan(2 * 2 ** 20);
  expect(read).toHaveLength(256);
});

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

/** Returns the bytes of the heap without garbage. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return getHeapStatistics().used_heap_size;
}
