import type { Declaration, Findings } from "../define/check.ts";
import { foundIn } from "../define/finding.ts";
import type { ClientCall, ClientTraffic } from "./client-request.ts";

/**
 * A check of clients: a pure function of one call and the calls before it. The client tester, the proxy and the log of
 * the test bed share these checks. Returns nothing for a call that does not trigger the rule.
 */
export interface PassiveClientCheck extends Declaration {
  readonly kind: "client-passive";
  readonly judge: (call: ClientCall, traffic: ClientTraffic) => Findings | undefined;
}

export const passiveClientCheck = (id: string, check: Omit<PassiveClientCheck, "id" | "kind">): PassiveClientCheck => ({
  kind: "client-passive",
  id,
  ...check,
  judge: (call, traffic) => foundIn(call.exchange, check.judge(call, traffic)),
});
