import type { AgentClass } from "../classes/agent-class.ts";
import type { FleetRow } from "../report/document.ts";

/** How a class is painted: as a verdict that passes, that fails, or that says nothing. */
export type Tone = "pass" | "fail" | "none";

const tones: Readonly<Record<AgentClass, Tone>> = {
  working: "pass",
  "rules-broken": "fail",
  "login-required": "none",
  "payment-required": "none",
  "card-invalid": "fail",
  "no-usable-interface": "fail",
  "endpoint-missing": "fail",
  "something-else": "fail",
  "timed-out": "none",
  unreachable: "none",
  "refused-by-guard": "none",
  "opted-out": "none",
  "not-examined": "none",
};

/** Green is only what was examined. */
export const toneOf = ({ class: named, outcome, examined }: Pick<FleetRow, "class" | "outcome" | "examined">): Tone =>
  named === "working" && !(outcome === "conformant" && examined && examined.rules > 0) ? "none" : tones[named];
