import type { AgentClass } from "./agent-class.ts";

/** A class as every view calls it. */
export const classWords: Readonly<Record<AgentClass, string>> = {
  working: "working",
  "rules-broken": "works, rules broken",
  "login-required": "login required",
  "payment-required": "payment required",
  "card-invalid": "card invalid",
  "no-usable-interface": "no usable interface",
  "endpoint-missing": "endpoint not there",
  "something-else": "answers with something else",
  "timed-out": "times out",
  unreachable: "unreachable",
  "refused-by-guard": "refused by our guard",
  "opted-out": "opted out",
  "not-examined": "not examined",
};
