import { randomBytes } from "node:crypto";

/**
 * Control sequences start with ESC. Assay signs its own with a number that no agent can know. The screen obeys those,
 * and shows all others as text.
 */
const signature = randomBytes(8).readBigUInt64BE().toString();
const esc = "\u001b";

/** Returns a control sequence of Assay's own from the part after ESC and bracket: "31m", "2A". */
export const ownSequence = (body: string): string => `${esc}[${signature};${body}`;

const signed = new RegExp(`(${esc}\\[${signature};[?\\d;]*[A-Za-z])`);

/** Splits a text. Every second piece is a control sequence of Assay's own. */
export const piecesOf = (text: string): string[] => text.split(signed);

/** Returns the sequence in the form for the terminal, without the signature. */
export const unsigned = (sequence: string): string => sequence.replace(`${signature};`, "");
