import { stepOf } from "../json-path.ts";

/** Something the dialect does not ask for and that we read all the same: what stood there, and how it was taken. */
export interface Finding {
  /** as in `$.message.parts[0].type` */
  readonly path: string;
  readonly message: string;
}

/** Where a reader is in a document, and where it notes what it had to read generously. */
export interface Place {
  readonly path: string;
  at(step: string | number): Place;
  note(message: string): void;
}

export const startOf = (findings: Finding[], path = "$"): Place => ({
  path,
  at: (step) => startOf(findings, path + stepOf(step)),
  note: (message) => {
    findings.push({ path, message });
  },
});
