import type { Part } from "../../model.ts";
import type { ReadingPlace } from "../place.ts";
import { readTaggedPart, writeTaggedPart } from "../tagged-part.ts";
import { mendTaggedPart } from "../tagged-part-mending.ts";
import type { PartShape } from "./shapes.ts";

/**
 * Parts of 0.1 are tagged with `type`; tagged-part.ts lists the losses. The official page puts files under `data` or
 * writes them without base64, its text allows an array as data, and its schema allows an empty file. All of that is
 * accepted.
 */
export const mendPart = mendTaggedPart({ tag: "type", loose: true });

export const readParts = (parts: readonly PartShape[], place: ReadingPlace): Part[] =>
  parts.map((part, index) => readTaggedPart(part.type, part, place.at(index)));

export const writeParts = (parts: readonly Part[]): PartShape[] =>
  // The tag is computed, so the type cannot see it.
  parts.map((part) => writeTaggedPart("type", part) as unknown as PartShape);
