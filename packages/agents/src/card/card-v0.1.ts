import { type AgentCard, isObject, type JsonObject } from "@assay/protocol/core";
import { inputModes, outputModes } from "../definition/agent.ts";

/**
 * What guides of 0.1 ask of a card beyond the official text, and their clients look for: the modes of each skill, in
 * `credentials` where a key goes and where tokens come from (as JSON in a string), and whether tasks keep what was said. The
 * words of 0.1 do not say them, so they are taken from the card as 1.0 has it.
 */
export function forGuides(card: JsonObject, { securitySchemes = {} }: AgentCard): JsonObject {
  const skills = (card["skills"] as JsonObject[]).map((skill) => ({ inputModes, outputModes, ...skill }));
  const schemes = Object.values(securitySchemes);
  const headerName = schemes.find((scheme) => scheme.apiKeySecurityScheme)?.apiKeySecurityScheme?.name;
  const tokenUrl = schemes
    .map((scheme) => scheme.oauth2SecurityScheme?.flows.clientCredentials?.tokenUrl)
    .find((url) => url !== undefined);
  const told = { ...(headerName && { apiKey: { headerName } }), ...(tokenUrl && { oauth2: { tokenUrl } }) };
  const credentials = Object.keys(told).length > 0 && { credentials: JSON.stringify(told) };
  const { authentication } = card;
  return {
    ...card,
    capabilities: { ...(card["capabilities"] as JsonObject), stateTransitionHistory: true },
    skills,
    ...(isObject(authentication) && { authentication: { ...(authentication as JsonObject), ...credentials } }),
  };
}
