import { expect, test } from "vitest";
import { spellingsOf } from "./files-by-reference.ts";

test("this machine, as filters overlook it", () => {
  expect(spellingsOf("127.0.0.1")).toEqual([
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.00.00.01",
    "[::ffff:127.0.0.1]",
    "localhost",
    "127.1",
    "0.0.0.0",
  ]);
});

test("every spelling of a private address leads to the same host", () => {
  const spellings = spellingsOf("192.168.7.20");
  expect(spellings).toHaveLength(5);
  for (const spelling of spellings.slice(0, 4)) expect(new URL(`http://${spelling}/`).hostname).toBe("192.168.7.20");
});

test("a name has one spelling", () => {
  expect(spellingsOf("agents")).toEqual(["agents"]);
});
