import { type CardFinding, isSilent, type JsonObject, lintCard, normaliseCard, shapeOf } from "@assay/protocol";
import { brief } from "../../answers/loose-json.ts";
import type { FetchedCard } from "../../define/check.ts";
import { breach, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { type BreachCode, breachCodes } from "../../rules/breach-codes.ts";
import { type CardAge, type LintedCard, lintOlderCard } from "./older-lint.ts";

const known = new WeakMap<JsonObject, Map<string, readonly LintedCard[]>>();

/** Lints a card by the rules of a version, once for all checks. */
export function lintOf(card: JsonObject, age: CardAge = { dialect: "1.0" }): readonly LintedCard[] {
  const read = known.get(card) ?? new Map<string, readonly LintedCard[]>();
  known.set(card, read);
  const key = `${age.dialect} ${age.release}`;
  const findings =
    read.get(key) ??
    (age.dialect === "1.0" ? lintCard(asNew(card), Number.POSITIVE_INFINITY) : lintOlderCard(card, age));
  read.set(key, findings);
  return findings;
}

/**
 * Returns the protocol version of an older card, which has another schema. A card without a version is not an older
 * one.
 */
export const olderVersion = (card: JsonObject): string | undefined =>
  shapeOf(card) === "older" && !isSilent(card) ? normaliseCard(card).dialects[0]?.dialect : undefined;

/** Treats a card that is older only by its address as a 1.0 card if the agent speaks 1.0. */
function asNew(card: JsonObject): JsonObject {
  const { url: _address, ...rest } = card;
  return isSilent(card) ? rest : card;
}

/** Options for reporting the linter findings of a rule. */
export interface Telling {
  /** a finding that is only advice here */
  readonly overlooked?: CardFinding["code"];
  /** hides the value, which may be a secret */
  readonly secret?: true;
}

/** Returns the linter findings of one rule. */
export function linted(
  { json, facts }: { readonly json: JsonObject; readonly facts?: CardAge },
  rule: string,
  want: string,
  { overlooked, secret }: Telling = {},
): Finding[] {
  const own = lintOf(json, facts).filter((finding) => finding.rule === rule && finding.code !== overlooked);
  const counts = new Map<string, number>();
  for (const { level } of own) counts.set(level, (counts.get(level) ?? 0) + 1);
  // Reports the first finding of each kind and counts the others, because a card may have any number.
  const kinds = new Set<string>();
  const isFirst = ({ level, code, apart }: LintedCard): boolean => {
    const kind = `${level} ${code} ${apart}`;
    return !kinds.has(kind) && kinds.add(kind).has(kind);
  };
  return own.filter(isFirst).map((finding) => {
    const { level, path } = finding;
    const text = sentence(finding, counts.get(level)! - 1);
    const value = valueAt(json, path);
    const saw = value === undefined ? `no ${placeName(path)}` : `${placeName(path)}: ${brief(value)}`;
    const details = { want, spot: path, ...(!secret && { saw }) };
    const code = breachIn(finding);
    return code ? breach(code, text, details) : holds(text);
  });
}

/** Returns the breach code of a linter finding; undefined if it is only a note. */
function breachIn({ level, code, apart }: LintedCard): BreachCode | undefined {
  if (apart) return apart;
  if (level === "error" && code !== "no-absolute-url") return "broken";
  if (level === "info") return undefined;
  const told: string = warnings[code] ?? code;
  return told in breachCodes ? (told as BreachCode) : undefined;
}

/** Schema violations for which the 1.0 linter only warns. */
const warnings: Partial<Record<CardFinding["code"], BreachCode>> = {
  null: "null-member",
  empty: "empty-text",
  missing: "scopes-left-out",
  "none-of": "flows-not-one",
  "several-of": "flows-not-one",
};

/** Turns a finding into a sentence, with the number of similar ones at the end. */
function sentence({ path, message }: CardFinding, more: number): string {
  const colon = /^(expected|`|the |must |unknown )/.test(message) ? ":" : "";
  return `${placeName(path)}${colon} ${message.replaceAll("$.", "")}${more > 0 ? ` (and ${more} more like it)` : ""}`;
}

const placeName = (path: string): string => (path === "$" ? "the card" : path.replace(/^\$\./, ""));

/** Returns the value at a path such as `$.skills[0].id`. */
function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const [, name, index] of path.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name ?? index!];
  }
  return value;
}

/** In a 1.0 run, a card of an older version is not judged; the run of that version judges it. */
export function unlessOlder({ json, facts }: Pick<FetchedCard, "json" | "facts">): Finding | undefined {
  const version = facts.dialect === "1.0" ? olderVersion(json) : undefined;
  return version === undefined
    ? undefined
    : notApplicable(
        version === "1.0"
          ? "the card has the form of an older protocol version"
          : `the card is for protocol version ${version}`,
      );
}
