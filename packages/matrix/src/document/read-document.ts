import { isObject, jsonIn } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { type MatrixDocument, matrixFormat } from "./document.ts";
import { brokenSeal } from "./seal.ts";

/** Reads a matrix document; rejects one with a cell that does not match its seal. */
export function readMatrix(text: string): MatrixDocument {
  const json = jsonIn(text);
  if (!isObject(json) || json["format"] !== matrixFormat || !Array.isArray(json["cells"]))
    throw new UsageError(`it is not a matrix document of format ${matrixFormat}`);
  // The format number vouches for its form, and the seals for its content.
  const document = json as unknown as MatrixDocument;
  for (const cell of document.cells) {
    const because = brokenSeal(cell, document);
    if (because !== undefined) throw new UsageError(`the cell ${cell.id}: ${because}`);
  }
  return document;
}
