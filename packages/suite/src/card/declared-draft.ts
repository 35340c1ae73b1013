import type { DialectVersion } from "@assay/protocol";
import { type RuleSet, ruleSetFor } from "../rules/catalogue.ts";
import { type DraftSet, draftOf } from "../rules/rule-sets.ts";
import { type AgentFacts, speakableIn } from "./agent-facts.ts";

type Declaring = Pick<AgentFacts, "declared" | "tested" | "cardUrl">;

/** Returns the draft whose version a card declares for one of the tested interfaces. */
function draftDeclaredIn({ declared, tested, cardUrl }: Declaring): DraftSet | undefined {
  const drafted = speakableIn(declared, cardUrl).filter((on) =>
    tested.some(({ url, binding }) => url === on.url && binding === on.binding),
  );
  return drafted.flatMap(({ later }) => (later === undefined ? [] : (draftOf(later) ?? [])))[0];
}

/**
 * Returns the rules for a version of an agent: those that the user chose, or those of the draft that its card declares.
 */
export const ruleSetOf = (
  { dialect, facts }: { readonly dialect: DialectVersion; readonly facts: Declaring },
  chosen: RuleSet | undefined,
): RuleSet => ruleSetFor(dialect, chosen ?? draftDeclaredIn(facts));
