import { expect, test } from "vitest";
import { palettes, texts } from "./tokens.ts";

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

test.each(Object.entries(palettes))("every text of the %s theme can be read on its ground", (_, palette) => {
  const faint = texts.filter(([text, ground]) => contrast(palette[text], palette[ground]) < 4.5);
  expect(faint).toEqual([]);
});
