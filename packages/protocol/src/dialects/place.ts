import { stepOf } from "../json-path.ts";

/** Something the dialect does not ask for and that we read all the same: what stood there, and how it was taken. */
export interface ReadingNote {
  /** as in `$.message.parts[0].type` */
  readonly path: string;
  readonly message: string;
}

/** Where a reader is in a document, and where it notes what it had to read generously. */
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
