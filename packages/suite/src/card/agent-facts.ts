import { type CardInterface, type DialectVersion, isObject, type JsonObject, normaliseCard } from "@assay/protocol";
import { type PeerInterface, speakable } from "@assay/wire";

/** The claims of a card, read tolerantly. They decide which rules apply. */
export interface AgentFacts {
  /** protocol version of the requests */
  readonly dialect: DialectVersion;
  /** `protocolVersion` of an older card, as in "0.2.5" */
  readonly release?: string;
  readonly card: JsonObject;
  readonly cardUrl: string;
  readonly name: string;
  readonly version: string;
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
  /** media types of messages; skills may have others */
  readonly inputModes: readonly string[];
  readonly skills: readonly {
    readonly id: string;
    readonly examples: readonly string[];
    readonly inputModes?: readonly string[];
  }[];
  readonly signed: boolean;
  readonly secured: boolean;
  /** all interfaces of the card, including unsupported ones */
  readonly declared: readonly CardInterface[];
  /** interfaces that are tested */
  readonly tested: readonly PeerInterface[];
}

/** Reads what a card claims for one version. */
export function factsOf(
  card: JsonObject,
  cardUrl: string,
  tested: readonly PeerInterface[],
  dialect: DialectVersion = "1.0",
): AgentFacts {
  const capabilities = objectIn(card, "capabilities");
  const { interfaces } = normaliseCard(card);
  const release = textIn(card, "protocolVersion");
  return {
    dialect,
    ...(dialect !== "1.0" && release !== undefined && { release }),
    card,
    cardUrl,
    name: textIn(card, "name") ?? "",
    version: textIn(card, "version") ?? "",
    streaming: capabilities["streaming"] === true,
    pushNotifications: capabilities["pushNotifications"] === true,
    // A 1.0 card may list an older interface too, with one capability for both.
    extendedAgentCard:
      capabilities["extendedAgentCard"] === true ||
      (dialect !== "1.0" && card["supportsAuthenticatedExtendedCard"] === true),
    extensions: listIn(capabilities, "extensions").flatMap((entry) => {
      const uri = textIn(entry, "uri");
      return uri === undefined ? [] : [{ uri, required: entry["required"] === true }];
    }),
    inputModes: textsIn(card, "defaultInputModes"),
    skills: listIn(card, "skills").map((skill) => {
      const inputModes = textsIn(skill, "inputModes");
      return {
        id: textIn(skill, "id") ?? "",
        examples: textsIn(skill, "examples"),
        ...(inputModes.length > 0 && { inputModes }),
      };
    }),
    signed: listIn(card, "signatures").length > 0,
    secured:
      listIn(card, "securityRequirements").length > 0 ||
      listIn(card, "security").length > 0 ||
      Object.keys(objectIn(card, "securitySchemes")).length > 0 ||
      // Only in 0.1; some cards write a single name here.
      [objectIn(card, "authentication")["schemes"]].flat().filter((scheme) => typeof scheme === "string").length > 0,
    declared: interfaces,
    tested,
  };
}

/** Returns the supported interfaces, in the card's order of preference. */
export const speakableIn = (declared: readonly CardInterface[], cardUrl: string): PeerInterface[] =>
  declared.flatMap((entry) => speakable(entry, cardUrl) ?? []);

const objectIn = (holder: Record<string, unknown>, member: string): Record<string, unknown> => {
  const value = holder[member];
  return isObject(value) ? value : {};
};

const listIn = (holder: Record<string, unknown>, member: string): Record<string, unknown>[] => {
  const value = holder[member];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

const textsIn = (holder: Record<string, unknown>, member: string): string[] => {
  const value = holder[member];
  return Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];
};

const textIn = (holder: Record<string, unknown>, member: string): string | undefined => {
  const value = holder[member];
  return typeof value === "string" ? value : undefined;
};
