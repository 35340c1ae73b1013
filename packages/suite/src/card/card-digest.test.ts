import { createHash } from "node:crypto";
import { canonicalJson } from "@assay/protocol/signature";
import { expect, test } from "vitest";
import { cardDigest } from "./card-digest.ts";

test("a card is the same in any order, and signed anew", () => {
  expect(cardDigest({ a: 1, b: { c: 2, d: 3 } })).toBe(cardDigest({ b: { d: 3, c: 2 }, a: 1, signatures: [{}] }));
  expect(cardDigest({ a: 1 })).not.toBe(cardDigest({ a: 2 }));
});

test("others compute the same with any library for RFC 8785", () => {
  const card = {
    name: "Ünïcode \u2028 \u0007",
    "10": [1e21, 0.1, -0, null, true],
    "9": { "\ud83d\ude00": "", "\ufb33": 1 },
  };
  expect(cardDigest(card)).toBe(createHash("sha256").update(canonicalJson(card)).digest("hex"));
});

test("a card with half of a pair has a digest", () => {
  expect(cardDigest({ name: "a\ud800" })).toMatch(/^[\da-f]{64}$/);
});
