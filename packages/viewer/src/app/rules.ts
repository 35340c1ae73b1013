import type { RuleRow } from "../documents/rules.ts";
import { get } from "./api.ts";

let rules: Promise<readonly RuleRow[]> | undefined;

/** Loads the catalogue, which stays the same while the page is open. */
export function loadRules(): Promise<readonly RuleRow[]> {
  rules ??= get<readonly RuleRow[]>("/api/rules");
  rules.catch(() => {
    rules = undefined;
  });
  return rules;
}
