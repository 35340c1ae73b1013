import {
  type AgentCard,
  type AgentInterface,
  type DialectVersion,
  isObject,
  type JsonObject,
  normaliseCard,
  v02,
  v03,
} from "@assay/protocol";

/** The card of an agent as 1.0 writes it, with all interfaces in 1.0. Undefined if the card is unreadable. */
export function newCard(json: JsonObject, spoken: DialectVersion): JsonObject | undefined {
  const card = readCard(json, spoken);
  return card && toJson({ ...card, supportedInterfaces: inNewVersion(card.supportedInterfaces) });
}

/**
 * A card for clients of both ages: the 1.0 members list the interfaces of both versions, and the older members stay.
 * 1.0 clients ignore the older members, and older clients ignore the list. Security schemes have the members of both
 * forms.
 */
export function cardForBoth(
  json: JsonObject,
  spoken: DialectVersion,
  /** the interfaces on which the agent speaks the older version, for a card that does not declare it */
  served: readonly { readonly url: string; readonly binding: string }[] = [],
): JsonObject | undefined {
  const card = readCard(json, spoken);
  if (!card) return undefined;
  const declared = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion.startsWith("0."));
  const undeclared = served.map(({ url, binding }) => ({ url, protocolBinding: binding, protocolVersion: spoken }));
  const older = declared.length > 0 ? declared : undeclared;
  const both = { ...card, supportedInterfaces: [...inNewVersion(card.supportedInterfaces), ...older] };
  const written = spoken === "0.1" ? json : (spoken === "0.2" ? v02 : v03).writeCard({ ...both });
  const newer = toJson(both);
  const { signatures: _, ...before } = { ...withoutAdded(written, json), ...ownMembers(json) };
  return {
    ...before,
    ...newer,
    ...(isObject(json["securitySchemes"]) && {
      securitySchemes: bothForms(json["securitySchemes"] as JsonObject, newer["securitySchemes"]),
    }),
    capabilities: { ...(json["capabilities"] as JsonObject), ...(newer["capabilities"] as JsonObject) },
    skills: skillsOf(json, newer),
  };
}

/** Reads a card of an older version. Early cards of 0.2 do not name the version, and some cards have no description. */
const readCard = (json: JsonObject, spoken: DialectVersion): AgentCard | undefined =>
  normaliseCard(json, spoken).card ??
  normaliseCard({ protocolVersion: `${spoken}.0`, description: "", version: "", ...json }, spoken).card;

/** Members of the older form, kept as the agent writes them. */
const kept = ["protocolVersion", "url", "preferredTransport", "additionalInterfaces", "security", "authentication"];

/** Removes what the codec adds to an older card: an early card of 0.2 names no version, and its clients need none. */
const withoutAdded = (written: JsonObject, json: JsonObject): JsonObject =>
  json["url"] === undefined
    ? written
    : Object.fromEntries(Object.entries(written).filter(([name]) => !kept.includes(name) || name in json));

const ownMembers = (json: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(json).filter(([name]) => kept.includes(name)));

const toJson = (card: AgentCard): JsonObject => card as unknown as JsonObject;

/** Returns each address once, in 1.0. */
function inNewVersion(interfaces: readonly AgentInterface[]): AgentInterface[] {
  const known = new Map(
    interfaces.map((each) => [JSON.stringify([each.url, each.protocolBinding]), { ...each, protocolVersion: "1.0" }]),
  );
  return [...known.values()];
}

/** An OAuth scheme with several flows becomes several schemes in 1.0; the older form keeps all flows. */
const bothForms = (older: JsonObject, newer: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(newer) ? (newer as JsonObject) : {}).map(([name, scheme]) => [
      name,
      { ...(isObject(older[name]) && (older[name] as JsonObject)), ...(scheme as JsonObject) },
    ]),
  );

/** Skills keep the older form of their requirements. */
const skillsOf = (json: JsonObject, newer: JsonObject): JsonObject[] =>
  ((newer["skills"] ?? []) as JsonObject[]).map((skill, index) => {
    const before = Array.isArray(json["skills"]) ? json["skills"][index] : undefined;
    const security = isObject(before) ? (before as JsonObject)["security"] : undefined;
    return { ...skill, ...(security !== undefined && { security }) };
  });
