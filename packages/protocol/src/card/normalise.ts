import type { Dialect } from "../dialects/dialect.ts";
import { namedLogins } from "../dialects/v0.1/authentication.ts";
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
  /** the card in the canonical model; undefined for what is no card, or none that its own version would accept */
  readonly card: AgentCard | undefined;
  /** the dialects worth trying, strongest evidence first */
  readonly dialects: DialectEvidence[];
  /** how the agent says it can be reached, in its order of preference */
  readonly interfaces: CardInterface[];
  /** what had to be read generously, left out or cut; whether the card is *good* is lintCard's question */
  readonly findings: CardFinding[];
}

/**
 * Reads a card of any dialect tolerantly. Never throws: what cannot be read is left out, and said. `spoken` is the version
 * that the agent turned out to speak, where the card does not name one.
 */
export function normaliseCard(json: unknown, spoken?: DialectVersion): NormalisedCard {
  const { card: read, findings } = readCard(json);
  if (!read) return { card: undefined, dialects: [], interfaces: [], findings };
  const { dialects, interfaces, shape, meant } = read;
  if (shape === "older")
    return { card: translated(json, spoken ?? dialects[0]?.dialect), dialects, interfaces, findings };

  const bent: CardFinding[] = [];
  const card = fit("AgentCard", normalise("AgentCard", meant), "$", (code, path, message) => {
    bent.push({ level: "warning", code, path, message, fix: "Write the member as the 1.0 schema has it." });
  });
  return { card, dialects, interfaces, findings: digest([...findings, ...bent]) };
}

const older: Partial<Record<DialectVersion, Dialect>> = { "0.1": v01, "0.2": v02, "0.3": v03 };

/** An older card in the words of 1.0, as far as it can be read. Cards of 0.2 may still name their logins as 0.1 did. */
function translated(json: unknown, version: DialectVersion | undefined): AgentCard | undefined {
  const card = version && older[version]?.readCard(json).value;
  return card && !card.securitySchemes ? { ...card, ...namedLogins(json) } : card;
}
