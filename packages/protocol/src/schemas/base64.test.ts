import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../any-character.fixture.ts";
import { base64Of, standardBase64 } from "./base64.ts";

test("the base64 of a text is that of its UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(base64Of(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
    }),
  );
});

test("URL-safe and unpadded base64 become the standard form", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const standard = Buffer.from(bytes).toString("base64");
      expect(standardBase64(Buffer.from(bytes).toString("base64url"))).toBe(standard);
      expect(standardBase64(standard)).toBe(standard);
    }),
  );
});

test.each(["A", "no base64!", "AA=A", "<content>"])("%j is none", (text) => {
  expect(standardBase64(text)).toBe(undefined);
});
