import { type JsonObject, remarksOn } from "@assay/protocol";

const most = 5;

/** Returns remarks on misleading text in the card. They are notes of the run, and change no verdict. */
export function textNotes(card: JsonObject): string[] {
  const remarks = remarksOn(card).map(({ path, message }) => `Card text: ${path} ${message}.`);
  return remarks.length <= most
    ? remarks
    : [...remarks.slice(0, most), `Card text: ${remarks.length - most} more remarks. Run assay card to see them all.`];
}
