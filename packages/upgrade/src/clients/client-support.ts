import type { DialectVersion } from "@assay/protocol";

/** The versions that a client speaks, from its profile or from the SDK matrix. */
export interface ClientSupport {
  readonly title: string;
  readonly version: string;
  /** newest first */
  readonly versions: readonly DialectVersion[];
  /** how Assay knows it */
  readonly source: string;
  /** measured results by version, as in "140 of 145 scenarios passed" */
  readonly measured?: Readonly<Partial<Record<DialectVersion, string>>>;
}

/** Splits clients by what happens to them when the agent speaks only 1.0. */
export const byFate = (
  clients: readonly ClientSupport[],
): { readonly breaking: readonly ClientSupport[]; readonly ready: readonly ClientSupport[] } => ({
  breaking: clients.filter(({ versions }) => !versions.includes("1.0")),
  ready: clients.filter(({ versions }) => versions.includes("1.0")),
});
