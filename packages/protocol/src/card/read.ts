import { isObject, type JsonObject } from "../json.ts";
import { bounded, trimInterfaces } from "./bounds.ts";
import { readDeviations } from "./deviations.ts";
import { type CardLayout, type DialectEvidence, evidenceIn, shapeOf } from "./evidence.ts";
import { type CardFinding, finding, quote } from "./finding.ts";
import { type CardInterface, interfacesIn } from "./interfaces.ts";

/** A card after the first pass: safe to walk, with its layout and interfaces known. Input of lint and normalisation. */
export interface ReadCard {
  /** as served, within our limits */
  readonly served: JsonObject;
  /** as intended: known deviations from the 1.0 shape corrected */
  readonly meant: JsonObject;
  readonly shape: CardLayout;
  readonly dialects: DialectEvidence[];
  readonly interfaces: CardInterface[];
}

/** Reads a card. `findings` lists what was cut or corrected; without a `card`, it says why. */
export function readCard(json: unknown): { card?: ReadCard; findings: CardFinding[] } {
  const { json: document, findings } = bounded(json);
  // A member missing from the first half may be in the other half.
  if (findings.some(({ code }) => code === "too-large")) return { findings };
  if (!isObject(document)) {
    const wrong = finding("error", "not-an-object", "$", {
      message: `the document is ${quote(document)}; an Agent Card is one JSON object`,
      fix: "Serve the card itself, not a list of cards and not a web page.",
      rule: "CARD-002",
    });
    return { findings: [...findings, wrong] };
  }
  const { card: served, findings: trimmed } = trimInterfaces(document as JsonObject);
  findings.push(...trimmed);
  const shape = shapeOf(served);
  // `security` is correct in an older card, so there is nothing to correct.
  const { card: meant, findings: deviations } =
    shape === "older" ? { card: served, findings: [] } : readDeviations(served);
  findings.push(...deviations);
  return {
    card: { served, meant, shape, dialects: evidenceIn(served), interfaces: interfacesIn(served) },
    findings,
  };
}
