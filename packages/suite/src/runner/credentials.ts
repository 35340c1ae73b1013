import { type BoundCredentials, bindCredentials, type HeaderPairs } from "@assay/wire";
import type { PrincipalName } from "../principal.ts";
import type { TestOptions } from "./options.ts";

/** Whether credentials of a principal were given; the user may as well do without. */
export const isGiven = (principal: PrincipalName, { principals }: TestOptions): boolean =>
  principal === "user" || principal === "anonymous" || principals?.[principal] !== undefined;

type CredentialOptions = Pick<TestOptions, "headers" | "principals" | "secrets" | "trustHosts">;

/** What a principal shows of itself; whether it gets there is for the clients to say. */
export function credentialsOf(principal: PrincipalName, { headers = [], principals }: CredentialOptions): HeaderPairs {
  switch (principal) {
    case "user":
      return headers;
    case "anonymous":
      return [];
    case "second":
    case "restricted":
      return principals?.[principal]?.headers ?? [];
  }
}

/** The credentials of all principals, bound to the addresses that the operator named. */
export const boundCredentials = (options: CredentialOptions & Pick<TestOptions, "url" | "card">): BoundCredentials =>
  bindCredentials({
    named: [options.url, ...(options.card === undefined ? [] : [options.card])],
    ...(options.trustHosts && { trustHosts: options.trustHosts }),
    fields: (["user", "second", "restricted"] as const).flatMap((principal) => credentialsOf(principal, options)),
    secrets: (options.secrets ?? []).map(({ value }) => value),
  });
