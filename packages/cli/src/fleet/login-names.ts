import type { CredentialNames } from "@assay/library/connection";

/** The members of a login under their names in lists. */
export const loginNames: CredentialNames = { nameOf: (name) => `login.${name}` };
