import type { RuleRow } from "../api/rules/documents.ts";
import { get } from "./api.ts";
import { isExported } from "./site.ts";

let rules: Promise<readonly RuleRow[]> | undefined;

/** The catalogue; it stays the same while the page is open. */
export function loadRules(): Promise<readonly RuleRow[]> {
  rules ??= isExported
    ? fetch("./data/rules.json").then((answer) => answer.json() as Promise<readonly RuleRow[]>)
    : get<readonly RuleRow[]>("/api/rules");
  rules.catch(() => {
    rules = undefined;
  });
  return rules;
}
