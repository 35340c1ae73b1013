import { type CardInterface, isObject, type JsonObject, normaliseCard } from "@assay/protocol";
import { type PeerInterface, speakable } from "@assay/wire";

/** What the card says about the agent, read tolerantly: what it claims decides which rules concern it. */
export interface AgentFacts {
  readonly card: JsonObject;
  readonly cardUrl: string;
  readonly name: string;
  readonly version: string;
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
  readonly extensions: readonly { readonly uri: string; readonly required: boolean }[];
  readonly skills: readonly { readonly id: string; readonly examples: readonly string[] }[];
  readonly signed: boolean;
  readonly secured: boolean;
  /** everything the card declares, also what we do not speak */
  readonly declared: readonly CardInterface[];
  /** those among them that are tested */
  readonly tested: readonly PeerInterface[];
}

export function factsOf(card: JsonObject, cardUrl: string, tested: readonly PeerInterface[]): AgentFacts {
  const capabilities = objectIn(card, "capabilities");
  const { interfaces } = normaliseCard(card);
  return {
    card,
    cardUrl,
    name: textIn(card, "name") ?? "",
    version: textIn(card, "version") ?? "",
    streaming: capabilities["streaming"] === true,
    pushNotifications: capabilities["pushNotifications"] === true,
    extendedAgentCard: capabilities["extendedAgentCard"] === true,
    extensions: listIn(capabilities, "extensions").flatMap((entry) => {
      const uri = textIn(entry, "uri");
      return uri === undefined ? [] : [{ uri, required: entry["required"] === true }];
    }),
    skills: listIn(card, "skills").map((skill) => ({
      id: textIn(skill, "id") ?? "",
      examples: Array.isArray(skill["examples"]) ? skill["examples"].filter((text) => typeof text === "string") : [],
    })),
    signed: listIn(card, "signatures").length > 0,
    secured:
      listIn(card, "securityRequirements").length > 0 ||
      listIn(card, "security").length > 0 ||
      Object.keys(objectIn(card, "securitySchemes")).length > 0,
    declared: interfaces,
    tested,
  };
}

/** Interfaces we can speak, in the card's order of preference. */
export const speakableIn = (declared: readonly CardInterface[]): PeerInterface[] =>
  declared.flatMap((entry) => speakable(entry) ?? []);

const objectIn = (holder: Record<string, unknown>, member: string): Record<string, unknown> => {
  const value = holder[member];
  return isObject(value) ? value : {};
};

const listIn = (holder: Record<string, unknown>, member: string): Record<string, unknown>[] => {
  const value = holder[member];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

const textIn = (holder: Record<string, unknown>, member: string): string | undefined => {
  const value = holder[member];
  return typeof value === "string" ? value : undefined;
};
