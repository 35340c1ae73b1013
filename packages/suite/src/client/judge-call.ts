import { passiveClientChecks } from "../checks/client/passive/index.ts";
import type { Finding } from "../define/finding.ts";
import { concerns, ruleIn } from "../rules/catalogue.ts";
import type { PassiveClientCheck } from "./client-check.ts";
import type { ClientCall, ClientTraffic } from "./client-request.ts";

/** What one call of a client shows about one rule. */
export interface ClientFinding {
  readonly check: PassiveClientCheck;
  readonly findings: readonly Finding[];
}

/** Whether the version and the binding of a call have the rule of a check. */
const isAbout = ({ id, bindings }: PassiveClientCheck, { on }: ClientCall): boolean => {
  const rule = ruleIn(on.dialect, id);
  return rule !== undefined && concerns(rule, on.binding) && (bindings?.includes(on.binding) ?? true);
};

/** Judges a call by every rule that it gives occasion for. */
export const judgeCall = (
  call: ClientCall,
  traffic: ClientTraffic,
  checks: readonly PassiveClientCheck[] = passiveClientChecks,
): readonly ClientFinding[] =>
  checks
    .filter((check) => isAbout(check, call))
    .flatMap((check) => {
      const found = check.judge(call, traffic);
      return found === undefined ? [] : [{ check, findings: [found].flat() }];
    });
