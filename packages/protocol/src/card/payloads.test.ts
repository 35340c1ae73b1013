import { expect, test } from "vitest";
import { candidatePayloads } from "./payloads.ts";

const named = (card: Parameters<typeof candidatePayloads>[0]) =>
  candidatePayloads(card).map(({ name, text }) => [name, text]);

test("readings that agree are one candidate, under the best name", () => {
  expect(named({ name: "n", signatures: [] })).toEqual([["P1", '{"name":"n"}']]);
});

test("an unknown member splits P1 from P2", () => {
  expect(named({ name: "n", url: "u" })).toEqual([
    ["P1", '{"name":"n","url":"u"}'],
    ["P2", '{"name":"n"}'],
  ]);
});

test("every reading of a card full of defaults", () => {
  const card = { name: "Möwe", description: "", capabilities: { streaming: false, extensions: [] }, provider: null };
  expect(named(card)).toEqual([
    ["P1", '{"capabilities":{"streaming":false},"description":"","name":"Möwe"}'],
    ["P3", '{"name":"Möwe"}'],
    ["P3-python", '{"capabilities":{"streaming":false},"name":"M\\u00f6we"}'],
    ["P4", '{"capabilities":{"extensions":[],"streaming":false},"description":"","name":"Möwe","provider":null}'],
  ]);
});

test("a card of nothing but defaults still has a payload", () => {
  expect(named({ description: "" })).toEqual([
    ["P1", '{"description":""}'],
    ["P3", "{}"],
  ]);
});
