import { type AgentCard, isObject, type JsonObject } from "@assay/protocol/core";
import { inputModes, outputModes } from "../definition/agent.ts";

/**
 * Adds members that guides of 0.1 describe and their clients read, although the official text does not
 * require them. These are the modes of each skill, whether tasks keep their history, and `credentials`: JSON
 * in a string with the place of a key and the source of tokens. They come from the 1.0 card, because the
 * dialect of 0.1 does not have them.
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
