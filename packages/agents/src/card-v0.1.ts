import { isObject, type JsonObject } from "@assay/protocol/core";
import { type AgentDefinition, inputModes, outputModes } from "./agent.ts";

/**
 * What guides of 0.1 ask of a card beyond the official text, and their clients look for: the modes of each skill, in
 * `credentials` where a key goes (as JSON in a string), and whether tasks keep what was said.
 */
export function forGuides(card: JsonObject, { access }: AgentDefinition): JsonObject {
  const skills = (card["skills"] as JsonObject[]).map((skill) => ({ inputModes, outputModes, ...skill }));
  const key = Object.values(access?.schemes ?? {}).find((scheme) => scheme.apiKeySecurityScheme)?.apiKeySecurityScheme;
  const credentials = key && { credentials: JSON.stringify({ apiKey: { headerName: key.name } }) };
  const { authentication } = card;
  return {
    ...card,
    capabilities: { ...(card["capabilities"] as JsonObject), stateTransitionHistory: true },
    skills,
    ...(isObject(authentication) && { authentication: { ...(authentication as JsonObject), ...credentials } }),
  };
}
