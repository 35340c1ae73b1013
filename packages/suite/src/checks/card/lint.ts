import { type CardFinding, isSilent, type JsonObject, lintCard, normaliseCard, shapeOf } from "@assay/protocol";
import { brief } from "../../answers/loose-json.ts";
import type { FetchedCard } from "../../define/check.ts";
import { breach, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { type BreachCode, breachCodes } from "../../rules/breach-codes.ts";
import { type CardAge, type LintedCard, lintOlderCard } from "./older-lint.ts";

const known = new WeakMap<JsonObject, Map<string, readonly LintedCard[]>>();

/** What is to be said about a card by the rules of a version, read once for all who ask. */
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

/** The protocol version of a card in the form of older ones: its own schema is another one. One that says nothing is none of theirs. */
export const olderVersion = (card: JsonObject): string | undefined =>
  shapeOf(card) === "older" && !isSilent(card) ? normaliseCard(card).dialects[0]?.dialect : undefined;

/** A card that gives its address as older ones do and says nothing else is one of 1.0 where the agent speaks that. */
function asNew(card: JsonObject): JsonObject {
  const { url: _address, ...rest } = card;
  return isSilent(card) ? rest : card;
}

/** How what the linter says under a rule is told. */
export interface Telling {
  /** what is no more than advice there */
  readonly overlooked?: CardFinding["code"];
  /** what was seen is not repeated: it may be a secret */
  readonly secret?: true;
}

/** What the linter has to say about one rule, as findings; nothing where it has nothing to say. */
export function linted(
  { json, facts }: { readonly json: JsonObject; readonly facts?: CardAge },
  rule: string,
  want: string,
  { overlooked, secret }: Telling = {},
): Finding[] {
  const own = lintOf(json, facts).filter((finding) => finding.rule === rule && finding.code !== overlooked);
  const counts = new Map<string, number>();
  for (const { level } of own) counts.set(level, (counts.get(level) ?? 0) + 1);
  // Of a kind, the first is told and the others counted: a card may have any number of them.
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

/** What a finding of the linter is to the table of severity; undefined where it is no more than worth knowing. */
function breachIn({ level, code, apart }: LintedCard): BreachCode | undefined {
  if (apart) return apart;
  if (level === "error" && code !== "no-absolute-url") return "broken";
  if (level === "info") return undefined;
  const told: string = warnings[code] ?? code;
  return told in breachCodes ? (told as BreachCode) : undefined;
}

/** Where the linter of 1.0 only warns of what the schema calls wrong. */
const warnings: Partial<Record<CardFinding["code"], BreachCode>> = {
  null: "null-member",
  empty: "empty-text",
  missing: "scopes-left-out",
  "none-of": "flows-not-one",
  "several-of": "flows-not-one",
};

/** A finding as a sentence of its own; how many more there are of the kind stands at its end. */
function sentence({ path, message }: CardFinding, more: number): string {
  const colon = /^(expected|`|the |must |unknown )/.test(message) ? ":" : "";
  return `${placeName(path)}${colon} ${message.replaceAll("$.", "")}${more > 0 ? ` (and ${more} more like it)` : ""}`;
}

const placeName = (path: string): string => (path === "$" ? "the card" : path.replace(/^\$\./, ""));

/** What stands at a place such as `$.skills[0].id`; undefined where nothing does. */
function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const [, name, index] of path.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]/g)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string, unknown>)[name ?? index!];
  }
  return value;
}

/** Where 1.0 is tested, a card of an older protocol version is none of its own; what is wrong with it is told there. */
export function unlessOlder({ json, facts }: Pick<FetchedCard, "json" | "facts">): Finding | undefined {
  const version = facts.dialect === "1.0" ? olderVersion(json) : undefined;
  return version === undefined
    ? undefined
    : notApplicable(
        version === "1.0"
          ? "the card is shaped like one of an older protocol version"
          : `the card is one of protocol version ${version}`,
      );
}
