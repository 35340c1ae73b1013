import { loadFamilies } from "@assay/agents";
import { type DialectVersion, defined } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import {
  type CheckInfo,
  type ClientCheckInfo,
  type CoverageRow,
  checks,
  clientCheckOf,
  coverage,
  everyRule,
  type Rule,
  ruleOf,
  sdkCalls,
  textWith,
  versionsWith,
} from "@assay/suite";
import { errorWords } from "./errors.ts";

/** A rule with its check, its versions and its mutants. */
export interface Explanation {
  /** the text of the newest version that has the rule */
  readonly rule: Rule;
  /** the protocol versions that have the rule, newest first */
  readonly versions: readonly DialectVersion[];
  readonly ends: CoverageRow["ends"];
  readonly check?: CheckInfo;
  /** for a rule about clients */
  readonly clientCheck?: ClientCheckInfo;
  /** the call of each common SDK that avoids the failure */
  readonly calls?: (typeof sdkCalls)[string];
  /** agents of the test bed that break this rule and no other */
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}

/** Explains a rule. The id of a mutant stands for the rule that it breaks. */
export async function explainedRule(given: string): Promise<Explanation> {
  const id = given.trim().toUpperCase().split(".", 1)[0]!;
  const rule = ruleOf(id);
  const [newest] = versionsWith(id);
  if (!rule || !newest) throw unknownRule(given, id);
  const { mutants } = await loadFamilies();
  const check = checks.find((each) => each.id === id);
  const clientCheck = clientCheckOf(id);
  return {
    rule,
    versions: versionsWith(id),
    ends: coverage(textWith(rule, newest)).find((row) => row.rule.id === id)?.ends ?? "no-check-yet",
    ...defined({ check, clientCheck, calls: sdkCalls[id] }),
    mutants: mutants
      .filter((mutant) => mutant.id.startsWith(`${id}.`))
      .map((mutant) => ({ id: mutant.id, does: mutant.does })),
  };
}

function unknownRule(given: string, id: string): UsageError {
  const ids = everyRule.map((each) => each.id);
  const isRule = /^[A-Z]\w*-/i.test(given.trim());
  return isRule
    ? new UsageError(`Unknown rule "${given}".${didYouMean(id, ids)}`, "Run assay coverage --rows to list all rules.")
    : new UsageError(
        `Unknown rule or error "${given}".${didYouMean(given.replace(/Error$/, ""), [...errorWords(), ...ids])}`,
        "Pass the id of a rule, or the code, status or name of an error: assay explain -32001",
      );
}
