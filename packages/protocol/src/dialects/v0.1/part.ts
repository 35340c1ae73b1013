import type { Part } from "../../model.ts";
import type { ReadingPlace } from "../place.ts";
import { readTaggedPart, writeTaggedPart } from "../tagged-part.ts";
import { mendTaggedPart } from "../tagged-part-mending.ts";
import type { PartShape } from "./shapes.ts";

/**
 * Parts of 0.1 are tagged with `type`; what is lost is said in tagged-part.ts. Its official page has files under
 * `data` and files that are no base64, its text lets data be an array, its schema lets a file be empty: all is read.
 */
export const mendPart = mendTaggedPart({ tag: "type", loose: true });

export const readParts = (parts: readonly PartShape[], place: ReadingPlace): Part[] =>
  parts.map((part, index) => readTaggedPart(part.type, part, place.at(index)));

export const writeParts = (parts: readonly Part[]): PartShape[] =>
  // The tag is computed, so the type cannot see it.
  parts.map((part) => writeTaggedPart("type", part) as unknown as PartShape);
