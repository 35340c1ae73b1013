import { type DialectVersion, isObject, type JsonObject } from "@assay/protocol";
import { type RuleSet, ruleSetFor } from "../rules/catalogue.ts";
import { type DraftSet, draftOf } from "../rules/rule-sets.ts";

/** Returns the draft whose version a card declares for one of its interfaces. */
function draftDeclaredIn(card: JsonObject): DraftSet | undefined {
  const listed = card["supportedInterfaces"];
  const versions = Array.isArray(listed)
    ? listed.map((entry) => (isObject(entry) ? entry["protocolVersion"] : ""))
    : [];
  return versions.flatMap((version) => draftOf(`${version}`) ?? [])[0];
}

/** Returns the rules for a version of an agent: those that the user chose, or those of the draft that its card declares. */
export const ruleSetOf = (
  { dialect, facts }: { readonly dialect: DialectVersion; readonly facts: { readonly card: JsonObject } },
  chosen: RuleSet | undefined,
): RuleSet => ruleSetFor(dialect, chosen ?? draftDeclaredIn(facts.card));
