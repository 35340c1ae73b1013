import { expect, test } from "vitest";
// @ts-expect-error: the scripts are plain JavaScript
import { animationOf } from "./generate/terminal-animation.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { terminalScreen } from "./generate/terminal-screen.mjs";

const esc = "\u001b";
const shown = (columns: number, ...texts: string[]): string[] => {
  const screen = terminalScreen(columns);
  for (const text of texts) screen.write(text);
  return screen.lines().map((runs: { text: string }[]) => runs.map(({ text }) => text).join("|"));
};

test("a recorded screen wraps, repaints and erases as a terminal does", () => {
  expect(shown(5, "abcde", "fg\r\n")).toEqual(["abcde", "fg"]);
  expect(shown(20, "one\r\ntwo\r\nthree", `${esc}[G${esc}[2AONE${esc}[K\r\n2${esc}[J`)).toEqual(["ONE", "2"]);
  expect(shown(20, `${esc}[1mbold${esc}[22m plain`)).toEqual(["bold| plain"]);
  expect(() => shown(20, `${esc}[5;5H`)).toThrow("does not know");
});

test("without animation the picture shows its last frame", () => {
  const at = (seconds: number, text: string) => ({ at: seconds, lines: [[{ column: 0, text, style: {} }]] });
  const picture = animationOf([at(0, "a<b"), at(2, "last"), at(4, "last")], { columns: 10, rows: 1, title: "t" });
  const groups = picture.split("\n").filter((line: string) => line.startsWith("<g"));
  expect(groups).toEqual([
    expect.stringMatching(/^<g class="gone t0-20">.*a&lt;b/),
    expect.stringMatching(/^<g class="t20-40">.*last/),
  ]);
  expect(picture).toContain("prefers-reduced-motion");
});
