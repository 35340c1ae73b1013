import { loadFamilies } from "@assay/agents";
import { defined } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";
import { didYouMean } from "@assay/protocol/core";
import {
  type CheckInfo,
  type ClientCheckInfo,
  type CoverageRow,
  catalogues,
  checks,
  clientCheckOf,
  coverage,
  type Rule,
  ruleOf,
  sdkCalls,
  versionsWith,
} from "@assay/suite";
import { errorWords } from "./errors.ts";

/** All that is known about a rule. */
export interface Explanation {
  /** as the newest version that has it puts it */
  readonly rule: Rule;
  /** the versions of the protocol that have it, the newest first */
  readonly versions: readonly string[];
  readonly ends: CoverageRow["ends"];
  readonly check?: CheckInfo;
  /** of a rule about clients */
  readonly clientCheck?: ClientCheckInfo;
  /** the call of each SDK that avoids the failure, for the most frequent ones */
  readonly calls?: (typeof sdkCalls)[string];
  /** agents of the test bed that break this rule and no other */
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}

/** Returns what is known about a rule. The id of a mutant stands for the rule that it breaks. */
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
    ends: coverage(newest).find((row) => row.rule.id === id)?.ends ?? "no-check-yet",
    ...defined({ check, clientCheck, calls: sdkCalls[id] }),
    mutants: mutants
      .filter((mutant) => mutant.id.startsWith(`${id}.`))
      .map((mutant) => ({ id: mutant.id, does: mutant.does })),
  };
}

function unknownRule(given: string, id: string): UsageError {
  const ids = Object.values(catalogues).flatMap((rules) => rules.map((each) => each.id));
  const isRule = /^[A-Z]\w*-/i.test(given.trim());
  return isRule
    ? new UsageError(`Unknown rule "${given}".${didYouMean(id, ids)}`, "Run assay coverage --rows to list all rules.")
    : new UsageError(
        `Unknown rule or error "${given}".${didYouMean(given.replace(/Error$/, ""), [...errorWords(), ...ids])}`,
        "Pass the id of a rule, or the code, status or name of an error: assay explain -32001",
      );
}
