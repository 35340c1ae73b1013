import { randomBytes } from "node:crypto";

/**
 * Control sequences start with ESC. Assay signs its own with a number that no agent can know. The screen obeys those, and
 * shows all others as text.
 */
const signature = randomBytes(8).readBigUInt64BE().toString();
const esc = "\u001b";

/** A control sequence of our own, by what follows its ESC and bracket: "31m", "2A". */
export const ownSequence = (body: string): string => `${esc}[${signature};${body}`;

const signed = new RegExp(`(${esc}\\[${signature};[?\\d;]*[A-Za-z])`);

/** The pieces of a text: every other one, from the second on, is a sequence of our own. */
export const piecesOf = (text: string): string[] => text.split(signed);

/** As the terminal wants it. */
export const unsigned = (sequence: string): string => sequence.replace(`${signature};`, "");
