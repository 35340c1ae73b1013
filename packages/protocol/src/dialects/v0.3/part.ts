import type { Part } from "../../model.ts";
import type { ReadingPlace } from "../place.ts";
import { readTaggedPart, writeTaggedPart } from "../tagged-part.ts";
import { mendTaggedPart } from "../tagged-part-mending.ts";
import type { PartShape } from "./shapes.ts";

/** Parts of 0.2 and 0.3 are tagged with `kind`; tagged-part.ts lists the losses. */
export const mendPart = mendTaggedPart({ tag: "kind" });

export const readParts = (parts: readonly PartShape[], place: ReadingPlace): Part[] =>
  parts.map((part, index) => readTaggedPart(part.kind, part, place.at(index)));

export const writeParts = (parts: readonly Part[]): PartShape[] =>
  // The tag is computed, so the type cannot see it.
  parts.map((part) => writeTaggedPart("kind", part) as unknown as PartShape);
