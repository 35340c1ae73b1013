import type { Dialect } from "../dialects/dialect.ts";
import { namedLogins } from "../dialects/v0.1/card.ts";
import { v01 } from "../dialects/v0.1/dialect.ts";
import { v02 } from "../dialects/v0.2/dialect.ts";
import { v03 } from "../dialects/v0.3/dialect.ts";
import type { AgentCard } from "../generated/model.ts";
import { normalise } from "../schemas/validate.ts";
import type { DialectVersion } from "../versions.ts";
import type { DialectEvidence } from "./evidence.ts";
import { type CardFinding, digest } from "./finding.ts";
import { fit } from "./fit.ts";
import type { CardInterface } from "./interfaces.ts";
import { readCard } from "./read.ts";

export interface NormalisedCard {
  /** the card in the canonical model; undefined if it is not a card, or invalid in its own version */
  readonly card: AgentCard | undefined;
  /** the dialects worth trying, strongest evidence first */
  readonly dialects: DialectEvidence[];
  /** the declared interfaces, in the card's order of preference */
  readonly interfaces: CardInterface[];
  /** what was corrected, ignored or cut; use lintCard to judge whether the card is good */
  readonly findings: CardFinding[];
}

/**
 * Reads a card of any dialect tolerantly and never throws: it ignores and reports whatever is unreadable. `spoken` is
 * the version that the agent turned out to speak, if the card does not name one.
 */
export function normaliseCard(json: unknown, spoken?: DialectVersion): NormalisedCard {
  const { card: read, findings } = readCard(json);
  if (!read) return { card: undefined, dialects: [], interfaces: [], findings };
  const { dialects, interfaces, shape, meant } = read;
  if (shape === "older")
    return { card: translated(json, spoken ?? dialects[0]?.dialect), dialects, interfaces, findings };

  const bent: CardFinding[] = [];
  const card = fit("AgentCard", normalise("AgentCard", meant), "$", (code, path, message) => {
    bent.push({ level: "warning", code, path, message, fix: "Write the member as the 1.0 schema defines it." });
  });
  return { card, dialects, interfaces, findings: digest([...findings, ...bent]) };
}

const older: Partial<Record<DialectVersion, Dialect>> = { "0.1": v01, "0.2": v02, "0.3": v03 };

/** Translates an older card to 1.0, as far as it is readable. Cards of 0.2 may still name their logins as in 0.1. */
function translated(json: unknown, version: DialectVersion | undefined): AgentCard | undefined {
  const card = version && older[version]?.readCard(json).value;
  return card && !card.securitySchemes ? { ...card, ...namedLogins(json) } : card;
}
