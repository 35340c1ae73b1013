import { type BoundCredentials, bindCredentials } from "@assay/wire";
import type { CertificateAndKey, PrincipalCredentials, PrincipalName } from "../define/principal.ts";
import type { TestOptions } from "./options.ts";

/** The options about credentials. The user's certificate belongs to the connection. */
export type CredentialOptions = Partial<
  Pick<TestOptions, "headers" | "query" | "principals" | "secrets" | "trustHosts" | "connection">
>;

const nothing: PrincipalCredentials = { headers: [] };

/** Returns true if there are credentials for a principal. The user needs none. */
export const isGiven = (principal: PrincipalName, options: CredentialOptions): boolean =>
  principal === "user" || principal === "anonymous" || othersIn(options).has(principal);

/** Returns the credentials of a principal. The clients decide where they may go. */
export function credentialsOf(principal: PrincipalName, options: CredentialOptions): PrincipalCredentials {
  if (principal === "user") return ofUser(options);
  return othersIn(options).get(principal) ?? nothing;
}

function ofUser({ headers = [], query = [], connection }: CredentialOptions): PrincipalCredentials {
  const tls = connection?.tls;
  const certificate = tls?.cert === undefined || tls.key === undefined ? undefined : { cert: tls.cert, key: tls.key };
  return { headers, query, ...(certificate && { certificate }) };
}

/** Returns the credentials of all principals except the user. */
function othersIn({ principals = {} }: CredentialOptions): ReadonlyMap<PrincipalName, PrincipalCredentials> {
  const { second, restricted, invalid = {} } = principals;
  return new Map<PrincipalName, PrincipalCredentials>([
    ...(second ? [["second", second] as const] : []),
    ...(restricted ? [["restricted", restricted] as const] : []),
    ...Object.entries(invalid).flatMap(([flaw, { besides = nothing, ...shown }]) => [
      [`invalid:${flaw}`, shown] as const,
      [`besides:${flaw}`, besides] as const,
    ]),
  ]);
}

/** Returns true if there are any credentials of the user. */
export function showsCredentials(options: CredentialOptions): boolean {
  const { headers, query = [], certificate } = ofUser(options);
  return headers.length > 0 || query.length > 0 || certificate !== undefined;
}

/** Returns the certificate of a principal, if it has one. */
export const certificateOf = (principal: PrincipalName, options: CredentialOptions): CertificateAndKey | undefined =>
  credentialsOf(principal, options).certificate;

/** Binds the credentials of all principals to the addresses that the operator named. */
export function boundCredentials(options: CredentialOptions & Pick<TestOptions, "url" | "card">): BoundCredentials {
  const all = [ofUser(options), ...othersIn(options).values()];
  return bindCredentials({
    named: [options.url, ...(options.card === undefined ? [] : [options.card])],
    ...(options.trustHosts && { trustHosts: options.trustHosts }),
    fields: all.flatMap(({ headers }) => headers),
    secrets: [
      ...(options.secrets ?? []).map(({ value }) => value),
      ...all.flatMap(({ query = [] }) => query.map(([, value]) => value)),
    ],
    beyondFields: all.some(({ query = [], certificate }) => query.length > 0 || certificate !== undefined),
  });
}
