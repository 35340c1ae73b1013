import type { DialectVersion } from "@assay/protocol";
import { ruleIn } from "@assay/suite";
import { ruleOfMutant } from "./caught.fixture.ts";

/** The mutant of a rule that does what the rule's `breaks` says in a version: its `does` is the same sentence. */
export const mutantOfBreaks = <M extends { readonly id: string; readonly does: string }>(
  mutants: readonly M[],
  rule: string,
  dialect: DialectVersion,
): M | undefined => mutants.find(({ id, does }) => ruleOfMutant(id) === rule && does === ruleIn(dialect, rule)?.breaks);

/** Rules that no agent breaks by itself: what does it is how the agent is served (production.test.ts). */
export const brokenByDeployment: Readonly<Record<string, string>> = {
  "CARD-040": "The card is served over plain http.",
  "AUTH-001": "The agent is served over plain http.",
  "AUTH-002": "The agent accepts TLS 1.0.",
  "GRPC-003": "The gRPC interface is served without TLS.",
};

/** Mutants that are warned of on the machine of the tester, and fail in production. */
export const failsInProduction: readonly string[] = ["SEC-003.fetches"];
