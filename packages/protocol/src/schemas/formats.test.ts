import { describe, expect, test } from "vitest";
import { isBase64, isUtcTimestamp } from "./formats.ts";

describe("a UTC timestamp", () => {
  test.each([
    "2026-04-01T08:00:02Z",
    "2026-04-01T08:00:02.2Z",
    "2026-04-01T08:00:02.250Z",
    "2026-04-01T08:00:02.123456789Z",
    "2024-02-29T23:59:59.999Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999Z",
  ])("is %s", (text) => {
    expect(isUtcTimestamp(text)).toBe(true);
  });

  test.each([
    "",
    "2026-04-01",
    "2026-04-01T08:00:02",
    "2026-04-01 08:00:02Z",
    "2026-04-01t08:00:02z",
    "2026-04-01T08:00Z",
    "2026-04-01T08:00:02.Z",
    "2026-04-01T08:00:02.1234567890Z",
    "2026-04-01T08:00:02+00:00",
    "2026-04-01T08:00:02Z ",
    "2026-04-01T08:00:02Z\n",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "0000-01-01T00:00:00Z",
    "12026-04-01T08:00:02Z",
  ])("is not %j", (text) => {
    expect(isUtcTimestamp(text)).toBe(false);
  });
});

describe("standard base64", () => {
  test.each(["", "AA==", "AAA=", "AAAA", "+/09azAZ"])("is %j", (text) => {
    expect(isBase64(text)).toBe(true);
  });

  test.each([
    "A",
    "AA",
    "AAA",
    "A===",
    "====",
    "AA=A",
    "AAAA====",
    "-_AA",
    "AA A",
    "AAA\n",
    "AAA:",
    "AAA.",
    "AAA@",
    "AAA[",
  ])("is not %j", (text) => {
    expect(isBase64(text)).toBe(false);
  });

  test("may be megabytes long", () => {
    expect(isBase64("A".repeat(8 << 20))).toBe(true);
    expect(isBase64(`${"A".repeat(8 << 20)}AA-A`)).toBe(false);
  });
});
