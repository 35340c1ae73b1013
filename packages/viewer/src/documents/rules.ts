import type { CheckInfo, ClientCheckInfo, CoverageRow, Rule } from "@assay/suite";

/** A rule and the proof that Assay examines it: `GET /api/rules`. */
export interface RuleRow extends Pick<Rule, "id" | "section" | "level" | "actor" | "basis" | "text" | "breaks"> {
  readonly specUrl: string;
  /** the protocol versions that have the rule, newest first */
  readonly versions: readonly string[];
  readonly bindings: Rule["bindings"];
  readonly ambiguity?: readonly string[];
  readonly ends: CoverageRow["ends"];
  /** the reason why no check examines the rule */
  readonly because?: string;
  readonly check?: Pick<CheckInfo, "title" | "remedy" | "kind" | "messages" | "depth" | "rude">;
  readonly clientCheck?: ClientCheckInfo;
  /** the call of each common SDK that avoids the failure */
  readonly calls?: Readonly<Record<"python" | "js" | "go" | "java", string>>;
  /** agents of the test bed that break this rule on purpose, which proves that the check detects it */
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}
