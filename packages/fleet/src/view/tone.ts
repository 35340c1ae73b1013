import { classFacts } from "../classes/agent-class.ts";
import type { FleetRow } from "../report/document.ts";

export type Tone = ReturnType<typeof classFacts>["tone"];

/** Returns the tone of a row. Only examined agents get the tone of a pass. */
export const toneOf = ({ class: named, outcome, examined }: Pick<FleetRow, "class" | "outcome" | "examined">): Tone =>
  named === "working" && !(outcome === "conformant" && examined && examined.rules > 0)
    ? "none"
    : classFacts(named).tone;
