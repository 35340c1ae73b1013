import { expect, test } from "vitest";
import { badge } from "./badge.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { nobodyThere, sampleRun } from "./sample.fixture.ts";
import { tagsOf } from "./tags.fixture.ts";

const labelOf = (text: string): string => /aria-label="([^"]*)"/.exec(text)![1]!;

test("it says outcome, level, share and date, also to those who do not see it", () => {
  expect(labelOf(badge(sampleRun))).toMatchInlineSnapshot(
    `"A2A: not conformant · partial · 74 % examined · 2026-11-15"`,
  );
  expect(tagsOf(badge(sampleRun))).toMatchInlineSnapshot(`
    [
      "svg",
      "title",
      "/title",
      "rect",
      "path",
      "g",
      "text",
      "/text",
      "text",
      "/text",
      "/g",
      "/svg",
    ]
  `);
  expect(/<title>(.*)<\/title>/.exec(badge(sampleRun))![1]).toBe(labelOf(badge(sampleRun)));
});

test("only an agent that conforms is green, and nothing examined is said", () => {
  const colorOf = (text: string): string => /rx="4" fill="([^"]*)"/.exec(text)![1]!;
  const answered = (outcome: "conformant" | "not-conformant" | "inconclusive"): string =>
    badge({ ...sampleRun, report: { ...sampleRun.report, outcome } });
  expect(
    new Set(["conformant", "not-conformant", "inconclusive"].map((each) => colorOf(answered(each as "conformant")))),
  ).toHaveProperty("size", 3);
  expect(labelOf(badge(nobodyThere))).toBe("A2A: inconclusive · nothing examined · 2026-11-15");
});

test.each(Object.entries(nastyStrings))("%s from an agent is not on it", (_, text) => {
  expect(badge(runThatSays(text))).toBe(badge(runThatSays("plain")));
});
