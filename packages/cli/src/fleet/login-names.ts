import type { CredentialNames } from "@assay/library/connection";

/** The members of a login, as lists call them. */
export const loginNames: CredentialNames = { nameOf: (name) => `login.${name}` };
