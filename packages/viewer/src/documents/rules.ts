import type { CheckInfo, ClientCheckInfo, CoverageRow, Rule } from "@assay/suite";

/** A rule and the proof that Assay examines it: `GET /api/rules`. */
export interface RuleRow extends Pick<Rule, "id" | "section" | "level" | "actor" | "basis" | "text" | "breaks"> {
  readonly specUrl: string;
  /** the versions of the protocol that have it, the newest first */
  readonly versions: readonly string[];
  readonly bindings: Rule["bindings"];
  readonly ambiguity?: readonly string[];
  readonly ends: CoverageRow["ends"];
  /** why no check examines it */
  readonly because?: string;
  readonly check?: Pick<CheckInfo, "title" | "remedy" | "kind" | "messages" | "depth" | "rude">;
  readonly clientCheck?: ClientCheckInfo;
  /** the call of each SDK that avoids the failure, for the most frequent ones */
  readonly calls?: Readonly<Record<"python" | "js" | "go" | "java", string>>;
  /** agents of the test bed that break this rule on purpose: the proof that the check sees it */
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}
