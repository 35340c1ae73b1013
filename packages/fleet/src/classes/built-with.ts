import type { FoundCard } from "@assay/wire";
import type { BuiltWith } from "../ledger/verdict.ts";
import type { RunFacts } from "./run-facts.ts";

export function builtWithOf(_found: FoundCard, _facts: RunFacts): BuiltWith | undefined {
  return undefined;
}
