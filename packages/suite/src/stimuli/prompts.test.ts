import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { factsOf } from "../agent-facts.ts";
import { hasKeywordSkills } from "./keyword-skills.ts";
import { readsText } from "./parts.ts";
import { stimuliFor } from "./prompts.ts";

const agent = (skills: { id: string; examples?: string[] }[]) => factsOf({ skills }, "http://127.0.0.1/card.json", []);
const unknown = agent([{ id: "weather", examples: ["Buy me a flight to Oslo"] }]);
const withKeywords = agent([{ id: "task-lifecycle" }, { id: "message-only" }, { id: "long-running" }]);

test("an unknown agent is only asked for something harmless, and nothing is assumed about what it can do", () => {
  expect(stimuliFor(unknown, {})).toEqual({
    task: { parts: [{ text: "Reply with the word OK." }] },
    stream: { parts: [{ text: "Reply with the word OK." }] },
    followUp: { parts: [{ text: "OK" }] },
  });
});

test("the card's own examples are used only where that was allowed", () => {
  expect(stimuliFor(unknown, { useExamples: true }).task).toEqual({ parts: [{ text: "Buy me a flight to Oslo" }] });
  expect(stimuliFor(unknown, { useExamples: true, skill: "other" }).task).toEqual({
    parts: [{ text: "Reply with the word OK." }],
  });
});

test("what the user wrote comes before everything", () => {
  expect(stimuliFor(withKeywords, { prompts: { task: "mine" }, convention: "tck" }).task).toEqual({
    parts: [{ text: "mine" }],
  });
});

test("skills that answer to keywords are known by their ids, and come before a convention", () => {
  expect(hasKeywordSkills(withKeywords)).toBe(true);
  expect(hasKeywordSkills(unknown)).toBe(false);
  expect(stimuliFor(withKeywords, { convention: "acts" }).slow).toEqual({ parts: [{ text: "slow 2" }] });
});

test("a convention is used only when it was asked for: by the text, or by the message's id", () => {
  expect(stimuliFor(unknown, { convention: "acts" }).inputRequired).toEqual({
    parts: [{ text: "tck-input-required" }],
  });
  expect(stimuliFor(unknown, { convention: "tck" }).inputRequired).toEqual({
    parts: [{ text: "Ask back." }],
    idPrefix: "tck-input-required",
  });
});

describe("an agent that reads no text", () => {
  const json = factsOf({ defaultInputModes: ["application/json"], skills: [{ id: "a" }] }, "http://127.0.0.1/c", []);

  test("is told everything as data", () => {
    const data = (text: string) => ({ parts: [{ data: { text }, mediaType: "application/json" }] });
    expect(stimuliFor(json, {}).task).toEqual(data("Reply with the word OK."));
    expect(stimuliFor(json, { prompts: { slow: "wait" } }).slow).toEqual(data("wait"));
  });

  test("is told what the operator wrote part by part as it was written", () => {
    const prompt = {
      parts: [{ data: { city: "Oslo" } }, { url: "https://example.com/a.pdf", mediaType: "application/pdf" }],
    };
    expect(stimuliFor(json, { prompts: { task: prompt } }).task).toEqual(prompt);
    expect(stimuliFor(unknown, { prompts: { task: prompt } }).task).toEqual(prompt);
  });
});

test.each<[string, object, string | undefined, boolean]>([
  ["a card that lists nothing", {}, undefined, true],
  ["text/plain", { defaultInputModes: ["text/plain"] }, undefined, true],
  ["other text", { defaultInputModes: ["text/markdown"] }, undefined, true],
  ["text as 0.1 writes it", { defaultInputModes: ["text"] }, undefined, true],
  ["everything", { defaultInputModes: ["*/*"] }, undefined, true],
  ["JSON alone", { defaultInputModes: ["application/json"] }, undefined, false],
  ["files alone", { defaultInputModes: ["image/png", "application/pdf"] }, undefined, false],
  [
    "one skill that reads text",
    { defaultInputModes: ["image/png"], skills: [{ id: "a", inputModes: ["text/plain"] }, { id: "b" }] },
    undefined,
    true,
  ],
  [
    "another skill than the one that reads text",
    { defaultInputModes: ["image/png"], skills: [{ id: "a", inputModes: ["text/plain"] }, { id: "b" }] },
    "b",
    false,
  ],
  [
    "skills none of which reads the text of the card",
    { defaultInputModes: ["text/plain"], skills: [{ id: "a", inputModes: ["image/png"] }] },
    undefined,
    false,
  ],
])("whether text is read: %s", (_, card, skill, expected) => {
  expect(readsText(factsOf(card as JsonObject, "http://127.0.0.1/c", []), skill)).toBe(expected);
});
