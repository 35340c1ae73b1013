import type { LearnedPrompt } from "@assay/suite/report";
import { expect, test } from "vitest";
import { templateFor } from "./template.ts";

const says = (text: string, tookMs: number): LearnedPrompt => ({
  parts: [{ text }],
  source: "plain",
  answer: "task",
  tookMs,
  shows: ["task", "slow"],
});

/** The line of a prompt in the file that `assay init` writes for an agent with these results. */
const lineOf = (kind: string, learned: readonly LearnedPrompt[]): string | undefined =>
  templateFor({
    ...{ url: "http://127.0.0.1:9999", name: "Weather", version: "1", skills: [], logins: [], otherHosts: [] },
    ...{ needsLogin: false, hasPush: false, readsText: true, learned },
  })
    .split("\n")
    .find((line) => new RegExp(`^  (# )?${kind}: `).test(line));

test("a prompt that takes less than two seconds is not proposed as slow", () => {
  expect(lineOf("slow", [says("Hello", 410)])).toBe(
    '  # slow: "…"   # something that takes several seconds, such as a long text or a search; the slowest message took 0.4 s',
  );
  expect(lineOf("task", [says("Hello", 410)])).toMatch(/^ {2}task: "Hello"/);
});

test("of several slow prompts, the fastest one that is slow enough is proposed", () => {
  expect(lineOf("slow", [says("Hello", 410), says("Count to 100", 9_000), says("Count to 50", 2_500)])).toMatch(
    /^ {2}slow: "Count to 50"/,
  );
});
