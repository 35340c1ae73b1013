import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any code point that is not half of a surrogate pair. The unit "binary" of fast-check is the same, but takes a second
 * to build.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count));
