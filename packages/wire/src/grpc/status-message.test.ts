import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeStatusMessage, encodeStatusMessage } from "./status-message.ts";

test("any text survives, and travels as visible ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const encoded = encodeStatusMessage(text);
      expect(encoded).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeStatusMessage(encoded)).toBe(text);
    }),
  );
});

test("plain text stays readable on the wire", () => {
  expect(encodeStatusMessage("100% of tasks: naïve\n")).toBe("100%25 of tasks: na%C3%AFve%0A");
});

test.each(["100%", "%zz", "%e4"])("%j is shown as it came", (text) => {
  expect(decodeStatusMessage(text)).toBe(text);
});
