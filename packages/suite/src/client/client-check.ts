import type { Declaration, Findings } from "../define/check.ts";
import { foundIn } from "../define/finding.ts";
import type { ClientCall, ClientTraffic } from "./client-request.ts";

/**
 * About clients: a pure function of one call and of what went before it, whatever it was made for. The tester of clients,
 * the proxy and the log of the test bed use the very same. It says nothing about a call that gives no occasion.
 */
export interface PassiveClientCheck extends Declaration {
  readonly kind: "client-passive";
  readonly judge: (call: ClientCall, traffic: ClientTraffic) => Findings | undefined;
}

export const passiveClientCheck = (check: Omit<PassiveClientCheck, "kind">): PassiveClientCheck => ({
  kind: "client-passive",
  ...check,
  judge: (call, traffic) => foundIn(call.exchange, check.judge(call, traffic)),
});
