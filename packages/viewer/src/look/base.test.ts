import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./base.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.match(/:root \{[^}]*\}/g) ?? [];

const paletteIn = (block: string): Map<string, string> =>
  new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name!, color!]));

/** Which is written on which: what has to be told apart. */
const texts = [
  ...["ink", "soft", "link", "fail", "warn", "pass", "held", "idle"].flatMap((text) =>
    ["ground", "paper", "well"].map((ground) => [text, ground] as const),
  ),
  ["mark-ink", "mark"] as const,
];

/** As WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const luminance = (color: string): number => {
    const [red, green, blue] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}

test.each(Object.entries({ light, dark }))("every text of the %s theme can be read on its ground", (_, block) => {
  const palette = paletteIn(block);
  expect(palette.size).toBe(20);
  const faint = texts.filter(([text, ground]) => !(contrast(palette.get(text)!, palette.get(ground)!) >= 4.5));
  expect(faint).toEqual([]);
});
