import { type CredentialNames, credentialsOf, type GivenCredentials } from "./credentials.ts";
import { isReference } from "./secrets.ts";

/** A secret that credentials name, with its recipient or with the token that is issued for it. */
export interface SecretUse {
  /** where it is written, for messages: `principals.default.bearer` */
  readonly place: string;
  /** `env:NAME` or `@file` */
  readonly reference: string;
  readonly to: readonly string[];
}

/** Lists the secrets that credentials name. It runs the code that reads them, but reads and fetches nothing. */
export async function secretUses(
  given: GivenCredentials,
  named: readonly string[],
  names: CredentialNames,
): Promise<SecretUse[]> {
  const uses: SecretUse[] = [];
  const note = (place: string, reference: string, to: readonly string[]): string => {
    if (isReference(reference)) uses.push({ place, reference, to });
    return "unread";
  };
  const reader = {
    secret: (place: string, text: string, _warn: unknown, tokenUrl?: string) =>
      note(place, text, tokenUrl === undefined ? named : [tokenUrl, ...named]),
    pem: (place: string, file: string) => note(place, `@${file}`, named),
  };
  await credentialsOf(
    given,
    () => {},
    async () => "unread",
    names,
    reader,
  );
  return uses;
}
