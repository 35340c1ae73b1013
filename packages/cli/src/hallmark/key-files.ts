import { readFileSync } from "node:fs";
import { readSigningKey, readTrustedKeys, type SigningKey, type TrustedKey } from "@assay/fleet/hallmark";
import { reasonOf } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import { blaming, UsageError } from "../exit.ts";

/** The operator's key, by reference alone: written out it would stand in the shell's history. */
export async function signingKeyOf(flag: string, given: string): Promise<SigningKey> {
  const text = readSecret(flag, given, () => {
    throw new UsageError(
      `${flag}: do not put a private key on the command line`,
      `Refer to it: ${flag} @key.pem, or env:NAME`,
    );
  });
  return readSigningKey(text).catch(blaming(flag));
}

/** Keys that are trusted, from a file. */
export function trustedKeysOf(flag: string, file: string): Promise<TrustedKey[]> {
  const text = fileText(flag, file);
  return readTrustedKeys(text).catch(blaming(flag));
}

export const fileText = (place: string, file: string): string => fileBytes(place, file).toString();

/** Reads the bytes of a file. */
export function fileBytes(place: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${place}: cannot read ${file}: ${readingReason(error as NodeJS.ErrnoException)}`);
  }
}

const readingReason = (error: NodeJS.ErrnoException): string =>
  error.code === "ENOENT" ? "file not found" : reasonOf(error);
