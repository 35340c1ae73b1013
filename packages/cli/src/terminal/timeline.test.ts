import { describe, expect, test } from "vitest";
import { paperScreen } from "../screen.fixture.ts";
import { createTimeline } from "./timeline.ts";

/** What a reply of two lines looks like on such a screen. */
function told(
  screen: Parameters<typeof paperScreen>[0],
  text = `${"one word more ".repeat(9)}\n  and a line with blanks`,
) {
  const paper = paperScreen(screen);
  createTimeline(paper).event(12, { message: { messageId: "m1", role: "ROLE_AGENT", parts: [{ text }] } });
  return paper.out();
}

describe("a reply", () => {
  test("is told whole on a wide terminal, line by line", () => {
    expect(told({ columns: 100 })).toMatchInlineSnapshot(`
      "    12 ms  message   "one word more one word more one word more one word more one word more one
                           word more one word more one word more one word more 
                             and a line with blanks"
      "
    `);
  });

  test("is cut to a line where there is little room, and in a log", () => {
    for (const screen of [{ columns: 80 }, { isTerminal: false, columns: 200 }])
      expect(told(screen).trim().split("\n")).toHaveLength(1);
  });

  test("that never ends is told as far as it can be read", () => {
    expect(told({ columns: 120 }, "x\n".repeat(1_000)).match(/… 801 more lines \(--json shows all\)/g)).toHaveLength(1);
  });

  test("draws nothing of its own on the screen", () => {
    expect(told({ columns: 120 }, `a\u001b[2Jb\u202ec\r\n::error::d${" e".repeat(60)}`)).toMatchInlineSnapshot(`
      "    12 ms  message   "a\\u001b[2Jb\\u202ec
                           \\::error::d e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e
                           e e e e e e e e e e e e e e e e e"
      "
    `);
  });
});
