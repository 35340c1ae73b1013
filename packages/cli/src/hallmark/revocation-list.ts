import { type RevocationList, readRevocations, type SigningKey } from "@assay/fleet/hallmark";
import { UsageError } from "../exit.ts";
import { fileText } from "./key-files.ts";

/** Reads a revocation list that this key signed. Assay rejects any other list. */
export async function ownRevocations(flag: string, file: string, key: SigningKey): Promise<RevocationList> {
  const read = await readRevocations(fileText(flag, file), [key.trusted]);
  if (read.is === "not-genuine")
    throw new UsageError(`${flag}: ${file} is not a list that this key signed: ${read.because}`);
  return read.list;
}
