import { type CardInterface, type DialectVersion, isObject, type JsonObject, normaliseCard } from "@assay/protocol";
import { type PeerInterface, speakable } from "@assay/wire";

/** What the card says about the agent, read tolerantly: what it claims decides which rules concern it. */
export interface AgentFacts {
  /** the version of the protocol it is asked in */
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
  /** the media types that messages may have; skills may have others */
  readonly inputModes: readonly string[];
  readonly skills: readonly {
    readonly id: string;
    readonly examples: readonly string[];
    readonly inputModes?: readonly string[];
  }[];
  readonly signed: boolean;
  readonly secured: boolean;
  /** everything the card declares, also what we do not speak */
  readonly declared: readonly CardInterface[];
  /** those among them that are tested */
  readonly tested: readonly PeerInterface[];
}

/** What a card says to clients of one version. */
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
    // A card of 1.0 may list an older interface too, and has one word for both.
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
      // Of 0.1; some write a single name there.
      [objectIn(card, "authentication")["schemes"]].flat().filter((scheme) => typeof scheme === "string").length > 0,
    declared: interfaces,
    tested,
  };
}

/** Interfaces we can speak, in the card's order of preference. */
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
