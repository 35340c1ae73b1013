import { expect, test } from "vitest";
import { factsOf } from "../agent-facts.ts";
import { hasKeywordSkills } from "./keyword-skills.ts";
import { stimuliFor } from "./prompts.ts";

const agent = (skills: { id: string; examples?: string[] }[]) => factsOf({ skills }, "http://127.0.0.1/card.json", []);
const unknown = agent([{ id: "weather", examples: ["Buy me a flight to Oslo"] }]);
const withKeywords = agent([{ id: "task-lifecycle" }, { id: "message-only" }, { id: "long-running" }]);

test("an unknown agent is only asked for something harmless, and nothing is assumed about what it can do", () => {
  expect(stimuliFor(unknown, {})).toEqual({
    task: { text: "Reply with the word OK." },
    stream: { text: "Reply with the word OK." },
    followUp: { text: "OK" },
  });
});

test("the card's own examples are used only where that was allowed", () => {
  expect(stimuliFor(unknown, { useExamples: true }).task).toEqual({ text: "Buy me a flight to Oslo" });
  expect(stimuliFor(unknown, { useExamples: true, skill: "other" }).task).toEqual({ text: "Reply with the word OK." });
});

test("what the user wrote comes before everything", () => {
  expect(stimuliFor(withKeywords, { prompts: { task: "mine" }, convention: "tck" }).task).toEqual({ text: "mine" });
});

test("skills that answer to keywords are known by their ids, and come before a convention", () => {
  expect(hasKeywordSkills(withKeywords)).toBe(true);
  expect(hasKeywordSkills(unknown)).toBe(false);
  expect(stimuliFor(withKeywords, { convention: "acts" }).slow).toEqual({ text: "slow 2" });
});

test("a convention is used only when it was asked for: by the text, or by the message's id", () => {
  expect(stimuliFor(unknown, { convention: "acts" }).inputRequired).toEqual({ text: "tck-input-required" });
  expect(stimuliFor(unknown, { convention: "tck" }).inputRequired).toEqual({
    text: "Ask back.",
    idPrefix: "tck-input-required",
  });
});
