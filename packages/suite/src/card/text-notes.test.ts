import { expect, test } from "vitest";
import { textNotes } from "./text-notes.ts";

const card = {
  name: "Maps",
  description: "Finds places.",
  url: "http://127.0.0.1:9999/",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [] as { id: string; name: string; description: string; tags: string[] }[],
};

test("a card with ordinary text has no notes", () => expect(textNotes(card)).toEqual([]));

test("a note names the place and writes hidden characters as escapes", () => {
  expect(textNotes({ ...card, description: "Finds\u200b places." })).toEqual([
    'Card text: $.description contains hidden characters (zero width space): "Finds\\u200b places.".',
  ]);
});

test("a card cannot fill the report with notes", () => {
  const skills = Array.from({ length: 20 }, (_, index) => ({
    id: `s${index}`,
    name: "n",
    description: "a\u200bb",
    tags: ["t"],
  }));
  expect(textNotes({ ...card, skills })).toHaveLength(6);
  expect(textNotes({ ...card, skills }).at(-1)).toBe("Card text: 15 more remarks. Run assay card to see them all.");
});
