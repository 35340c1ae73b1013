import type { DialectVersion } from "@assay/protocol";

/** The versions that a client speaks, from its profile or from a matrix. */
export interface ClientSupport {
  readonly title: string;
  readonly version: string;
  /** newest first */
  readonly versions: readonly DialectVersion[];
  /** the source of the versions: a profile or a matrix */
  readonly source: string;
  /** measured results by version, as in "140 of 145 scenarios passed" */
  readonly measured?: Readonly<Partial<Record<DialectVersion, string>>>;
}

/**
 * Splits clients by what happens to them when an agent of this version speaks only 1.0. Clients that speak neither are
 * left out. 0.2 and 0.3 look alike, but a client of 0.2 reads agent.json, which few agents of 0.3 serve.
 */
export const byFate = (
  clients: readonly ClientSupport[],
  from: DialectVersion,
): { readonly breaking: readonly ClientSupport[]; readonly ready: readonly ClientSupport[] } => ({
  breaking: clients.filter(({ versions }) => !versions.includes("1.0") && versions.includes(from)),
  ready: clients.filter(({ versions }) => versions.includes("1.0")),
});
