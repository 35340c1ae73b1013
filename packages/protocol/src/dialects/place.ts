import { stepOf } from "../json-path.ts";

/** A deviation that we tolerated: what was there, and how it was read. */
export interface ReadingNote {
  /** for example `$.message.parts[0].type` */
  readonly path: string;
  readonly message: string;
}

/** A position in a document, which records notes about tolerated deviations. */
export interface ReadingPlace {
  readonly path: string;
  at(step: string | number): ReadingPlace;
  note(message: string): void;
}

export const startOf = (notes: ReadingNote[], path = "$"): ReadingPlace => ({
  path,
  at: (step) => startOf(notes, path + stepOf(step)),
  note: (message) => {
    notes.push({ path, message });
  },
});
