import { passiveClientChecks } from "../checks/index.ts";
import type { Finding } from "../define/finding.ts";
import { concerns, ruleIn } from "../rules/catalogue.ts";
import type { PassiveClientCheck } from "./client-check.ts";
import type { ClientCall, ClientTraffic } from "./client-request.ts";

/** The finding about one rule in one call of a client. */
export interface ClientFinding {
  readonly check: PassiveClientCheck;
  readonly findings: readonly Finding[];
}

/** Returns true if the rule applies to the version and binding of a call. */
const isAbout = ({ id, bindings }: PassiveClientCheck, { on }: ClientCall): boolean => {
  const rule = ruleIn(on.dialect, id);
  return rule !== undefined && concerns(rule, on.binding) && (bindings?.includes(on.binding) ?? true);
};

/** Judges a call by every rule that it triggers. */
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
