import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { factsOf } from "../card/agent-facts.ts";
import { candidatesFor } from "./candidates.ts";
import { hasKeywordSkills } from "./keyword-skills.ts";
import { readsText } from "./parts.ts";
import { stimuliFor } from "./prompts.ts";

const agent = (skills: { id: string; examples?: string[] }[]) => factsOf({ skills }, "http://127.0.0.1/card.json", []);
const unknown = agent([{ id: "weather", examples: ["Buy me a flight to Oslo"] }]);
const withKeywords = agent([{ id: "task-lifecycle" }, { id: "message-only" }, { id: "long-running" }]);

test("an unknown agent is only asked for something harmless, and nothing is assumed about what it can do", () => {
  expect(stimuliFor(unknown, {})).toEqual({
    task: { source: "plain", parts: [{ text: "Reply with the word OK." }] },
    stream: { source: "plain", parts: [{ text: "Reply with the word OK." }] },
    followUp: { source: "plain", parts: [{ text: "OK" }] },
  });
});

test("the card's own examples are used only where that was allowed", () => {
  expect(stimuliFor(unknown, { useExamples: true }).task).toEqual({
    source: "example",
    parts: [{ text: "Buy me a flight to Oslo" }],
  });
  expect(stimuliFor(unknown, { useExamples: true, skills: ["other"] }).task).toEqual({
    source: "plain",
    parts: [{ text: "Reply with the word OK." }],
  });
});

test("what the user wrote comes before everything", () => {
  expect(stimuliFor(withKeywords, { prompts: { task: "mine" }, convention: "tck" }).task).toEqual({
    source: "operator",
    parts: [{ text: "mine" }],
  });
});

test("skills that answer to keywords are known by their ids, and come before a convention", () => {
  expect(hasKeywordSkills(withKeywords)).toBe(true);
  expect(hasKeywordSkills(unknown)).toBe(false);
  const slow = (text: string) => ({ source: "skill", parts: [{ text }] });
  expect(stimuliFor(withKeywords, { convention: "acts" }).slow).toEqual(slow("long-running hello"));
});

test("words that only our own test bed knows without listing them are believed there, and tried elsewhere", () => {
  expect(stimuliFor(withKeywords, {}, true)).toMatchObject({
    slow: { parts: [{ text: "slow 2" }] },
    rejected: { parts: [{ text: "rejected hello" }] },
  });
  expect(stimuliFor(withKeywords, {}).rejected).toBeUndefined();
  expect(candidatesFor(withKeywords, {}).map(({ parts, hopedFor }) => [parts[0]?.text, hopedFor])).toEqual([
    ["auth-required hello", ["authRequired"]],
    ["rejected hello", ["rejected"]],
  ]);
});

test("on an unknown agent the examples that are left come before ordinary words", () => {
  const many = agent([{ id: "weather", examples: ["one", "two", "three"] }]);
  const texts = (useExamples: boolean) => candidatesFor(many, { useExamples }).map(({ parts }) => parts[0]?.text);
  expect(texts(true).slice(0, 2)).toEqual(["two", "three"]);
  expect(texts(false)).toEqual(texts(true).slice(2));
});

test("a convention is used only when it was asked for: by the text, or by the message's id", () => {
  expect(stimuliFor(unknown, { convention: "acts" }).inputRequired).toEqual({
    source: "convention",
    parts: [{ text: "tck-input-required" }],
  });
  expect(stimuliFor(unknown, { convention: "tck" }).inputRequired).toEqual({
    source: "convention",
    parts: [{ text: "Ask back." }],
    idPrefix: "tck-input-required",
  });
});

describe("an agent that reads no text", () => {
  const json = factsOf({ defaultInputModes: ["application/json"], skills: [{ id: "a" }] }, "http://127.0.0.1/c", []);

  test("is told everything as data", () => {
    const data = (text: string) => ({ parts: [{ data: { text }, mediaType: "application/json" }] });
    expect(stimuliFor(json, {}).task).toMatchObject(data("Reply with the word OK."));
    expect(stimuliFor(json, { prompts: { slow: "wait" } }).slow).toMatchObject(data("wait"));
  });

  test("is told what the operator wrote part by part as it was written", () => {
    const prompt = {
      parts: [{ data: { city: "Oslo" } }, { url: "https://example.com/a.pdf", mediaType: "application/pdf" }],
    };
    expect(stimuliFor(json, { prompts: { task: prompt } }).task).toMatchObject(prompt);
    expect(stimuliFor(unknown, { prompts: { task: prompt } }).task).toMatchObject(prompt);
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
  expect(
    readsText(factsOf(card as JsonObject, "http://127.0.0.1/c", []), skill === undefined ? undefined : [skill]),
  ).toBe(expected);
});
