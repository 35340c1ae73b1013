import { expect, test } from "vitest";
import { wireLines } from "./wire-lines.ts";

test("a long stream shows its first events, how many follow, and the last one", () => {
  const events = Array.from({ length: 8 }, (_, index) => index);
  const lines = wireLines({ line: "HTTP 200", headers: [], events });
  expect(lines).toEqual(["HTTP 200", "0", "1", "2", "3", "(3 more events)", "7"]);
  expect(wireLines({ line: "HTTP 200", headers: [], events: events.slice(0, 5) }).slice(1)).toHaveLength(5);
});
