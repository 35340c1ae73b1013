import { isObject, type JsonObject } from "../json.ts";
import { type DialectVersion, dialects } from "../versions.ts";
import { quote } from "./finding.ts";
import { entriesIn, objectsIn } from "./members.ts";

/** A dialect that the card suggests, with the reason. */
export interface DialectEvidence {
  readonly dialect: DialectVersion;
  readonly because: string;
}

/**
 * The layout of a card. `1.0` lists `supportedInterfaces`. `older` has one top-level `url`. `superset` has both, for
 * old and new clients.
 *
 * A card with neither has no address. Its other members decide; if they do not, it counts as a broken 1.0 card, because
 * that is what its author has to fix.
 */
export type CardLayout = "1.0" | "older" | "superset";

export function shapeOf(card: JsonObject): CardLayout {
  const hasUrl = typeof card["url"] === "string";
  const listed = declaredInterfaces(card).length > 0;
  if (hasUrl) return listed ? "superset" : "older";
  if (listed) return "1.0";
  const count = (signs: readonly Sign[]): number => signs.filter((sign) => sign(card)).length;
  return count(olderSigns) > count(newSigns) ? "older" : "1.0";
}

type Sign = (card: JsonObject) => boolean;

/** Members that only 1.0 cards have. */
const newSigns: readonly Sign[] = [
  (card) => has("supportedInterfaces", "supported_interfaces")(card),
  (card) => has("securityRequirements")(card),
  (card) => dialectOf(card["protocolVersion"]) === "1.0",
  ({ capabilities }) => isObject(capabilities) && capabilities["extendedAgentCard"] != null,
  ({ securitySchemes }) => schemesIn(securitySchemes).some((scheme) => scheme["type"] == null),
];

/** Members that 1.0 removed. */
const olderSigns: readonly Sign[] = [
  (card) => card["url"] !== undefined,
  (card) => ["0.1", "0.2", "0.3"].includes(dialectOf(card["protocolVersion"]) ?? ""),
  (card) => has("preferredTransport", "additionalInterfaces")(card),
  (card) => has("authentication")(card),
  (card) => has("supportsAuthenticatedExtendedCard")(card),
  ({ capabilities }) => isObject(capabilities) && capabilities["stateTransitionHistory"] != null,
  ({ securitySchemes }) => schemesIn(securitySchemes).some((scheme) => typeof scheme["type"] === "string"),
];

/** Returns true if a card has an older address but no hint of its version. */
export function isSilent(card: JsonObject): boolean {
  const { url: _address, ...rest } = card;
  return shapeOf(card) === "older" && card["protocolVersion"] == null && !olderSigns.some((sign) => sign(rest));
}

/** Returns the interface list under either of the names that ProtoJSON allows. */
export function declaredInterfaces(card: JsonObject): unknown[] {
  const list = card["supportedInterfaces"] ?? card["supported_interfaces"];
  return Array.isArray(list) ? list : [];
}

/**
 * Maps a version to its dialect: `1.x` is 1.0, `0.3.x` is 0.3, and so on. Returns undefined for an unpublished version.
 */
export function dialectOf(version: unknown): DialectVersion | undefined {
  // A number or a leading "v" is a mistake, but the version is still clear.
  if (typeof version !== "string" && typeof version !== "number") return undefined;
  const text = String(version).replace(/^v/i, "");
  if (/^1(?:\.|$)/.test(text)) return "1.0";
  return dialects.find((dialect) => text === dialect || text.startsWith(`${dialect}.`));
}

/** Returns Major.Minor of a version 1.x above 1.0, which has the form of 1.0. */
export function laterVersion(version: unknown): string | undefined {
  if (typeof version !== "string" && typeof version !== "number") return undefined;
  const minor = /^v?1\.0*(\d+)(?:\.|$)/i.exec(String(version))?.[1];
  return minor === undefined || minor === "0" ? undefined : `1.${minor}`;
}

/** Returns the dialects that the card suggests, strongest evidence first. A probe on the wire decides in the end. */
export function evidenceIn(card: JsonObject): DialectEvidence[] {
  const shape = shapeOf(card);
  const found = [
    ...(shape === "older" ? [] : listedDialects(card)),
    ...(shape === "1.0" ? [] : olderDialects(card, shape)),
  ];
  const best = new Map<DialectVersion, DialectEvidence>();
  for (const evidence of found) if (!best.has(evidence.dialect)) best.set(evidence.dialect, evidence);
  return [...best.values()];
}

function listedDialects(card: JsonObject): DialectEvidence[] {
  return declaredInterfaces(card).flatMap((entry, index) => {
    const version = isObject(entry) ? (entry["protocolVersion"] ?? entry["protocol_version"]) : undefined;
    const place = `supportedInterfaces[${index}]`;
    if (version === undefined) return [{ dialect: "1.0", because: `${place} is 1.0-shaped and names no version` }];
    const dialect = dialectOf(version);
    return dialect ? [{ dialect, because: `${place} says protocolVersion ${quote(version)}` }] : [];
  });
}

function olderDialects(card: JsonObject, shape: CardLayout): DialectEvidence[] {
  const version = card["protocolVersion"];
  const dialect = dialectOf(version);
  const named: DialectEvidence[] = dialect
    ? [{ dialect, because: `protocolVersion ${quote(version)} at the top of its card` }]
    : [];
  if (shape === "superset") {
    const because = "a top-level `url` beside supportedInterfaces, as 0.3 clients expect it";
    return named.length ? named : [{ dialect: "0.3", because }];
  }
  const hinted = hints.filter((hint) => hint.seen(card) && (hint.always || !named.length));
  const evidence = [...named, ...hinted.map(({ dialect, because }) => ({ dialect, because }))];
  return evidence.length ? evidence : [guessedVersion];
}

/**
 * Without a hint, 0.2 is the safer guess: it looks like 0.3 on the wire and promises less. A full 0.1 card looks the
 * same.
 */
export const guessedVersion: DialectEvidence = {
  dialect: "0.2",
  because: "an older card that does not show whether it is 0.2 or 0.3",
};

interface Hint extends DialectEvidence {
  readonly seen: (card: JsonObject) => boolean;
  /** counts even if `protocolVersion` says otherwise, because no older dialect has this member */
  readonly always?: true;
}

const has =
  (...members: string[]) =>
  (card: JsonObject) =>
    members.some((member) => card[member] != null);

const skillsOf = (card: JsonObject): Record<string, unknown>[] =>
  objectsIn(card["skills"], "$.skills").map(([skill]) => skill);

const schemesIn = (schemes: unknown): Record<string, unknown>[] =>
  entriesIn(schemes, "$.securitySchemes").map(([scheme]) => scheme);

const hasMutualTls = ({ securitySchemes }: JsonObject): boolean =>
  schemesIn(securitySchemes).some((scheme) => scheme["type"] === "mutualTLS");

const hints: readonly Hint[] = [
  { dialect: "0.3", because: "`signatures`, which came with 0.3", seen: has("signatures"), always: true },
  {
    dialect: "0.3",
    because: "a skill with its own `security`, which came with 0.3",
    seen: (card) => skillsOf(card).some((skill) => skill["security"] != null),
    always: true,
  },
  { dialect: "0.3", because: "a mutualTLS scheme, which came with 0.3", seen: hasMutualTls, always: true },
  {
    dialect: "0.3",
    because: "preferredTransport or additionalInterfaces without a version: 0.2.4 or later, probably 0.3",
    seen: has("preferredTransport", "additionalInterfaces"),
  },
  {
    dialect: "0.2",
    because: "securitySchemes or security, and no version",
    seen: has("securitySchemes", "security"),
  },
  { dialect: "0.1", because: "authentication, which later versions removed", seen: has("authentication") },
  {
    dialect: "0.1",
    because: "no defaultInputModes, which 0.2 requires",
    seen: (card) => card["defaultInputModes"] == null,
  },
  {
    dialect: "0.1",
    because: "a skill without tags, which 0.2 requires",
    seen: (card) => skillsOf(card).some((skill) => skill["tags"] == null),
  },
];
