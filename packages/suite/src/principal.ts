import type { HeaderPairs } from "@assay/wire";

/** On whose behalf a request is made: with the user's own credentials, without any, or with others that were given. */
export type PrincipalName = "user" | "anonymous" | "second" | "restricted";

/** A principal that the agent knows: what it is shown as credentials. */
export interface PrincipalCredentials {
  readonly headers: HeaderPairs;
}
