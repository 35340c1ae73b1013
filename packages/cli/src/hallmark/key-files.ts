import { readFileSync } from "node:fs";
import { readSigningKey, readTrustedKeys, type SigningKey, type TrustedKey } from "@assay/fleet/hallmark";
import { readingReasonOf } from "@assay/library/runs";
import { readSecret } from "@assay/library/secrets";
import { blaming, UsageError } from "../exit.ts";

/** Reads the operator's key. It must be a reference, because the shell's history would keep a literal key. */
export async function signingKeyOf(flag: string, given: string): Promise<SigningKey> {
  const text = readSecret(flag, given, () => {
    throw new UsageError(
      `${flag}: do not put a private key on the command line`,
      `Refer to it: ${flag} @key.pem, or env:NAME`,
    );
  });
  return readSigningKey(text).catch(blaming(flag));
}

/** Reads trusted keys from a file. */
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
    throw new UsageError(`${place}: cannot read ${file}: ${readingReasonOf(error as NodeJS.ErrnoException)}`);
  }
}
