import type { Caller } from "../definition/access.ts";
import { allScopes, basicScopes, forbiddenWith, type TokenScope } from "./scopes.ts";

/** A caller with all its credentials. */
export interface KnownCaller extends Caller {
  readonly scopes: readonly TokenScope[];
  readonly token: string;
  readonly apiKey: string;
  readonly password: string;
  /** of the OAuth client with the caller's name */
  readonly clientSecret: string;
}

const caller = (name: string, scopes: readonly TokenScope[]): KnownCaller => ({
  name,
  scopes,
  mayNot: forbiddenWith(scopes),
  token: `${name}-token`,
  apiKey: `${name}-key`,
  password: `${name}-password`,
  clientSecret: `${name}-secret`,
});

/** The three callers of `/secure`. Their credentials are public test data; the agent's page lists them. */
export const secureCallers: readonly KnownCaller[] = [
  caller("alice", allScopes),
  caller("bob", allScopes),
  caller("carol", basicScopes),
];
