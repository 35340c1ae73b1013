import type { AgentCard, SecurityScheme } from "../../model.ts";
import { mending } from "../mending.ts";

/** The names of authentication schemes, any of which opens the door. Their parameters and scopes are unknown. */
export interface AuthenticationShape {
  readonly schemes: string[];
}

export const mendAuthentication = mending((authentication, place) => {
  const { schemes } = authentication;
  if (typeof schemes !== "string") return;
  authentication["schemes"] = [schemes];
  place.at("schemes").note(`is the text ${JSON.stringify(schemes)}; read as a list of one`);
});

/** All that is known is a name, and HTTP's `Authorization` is where names of schemes belong. */
export function readAuthentication(
  authentication: AuthenticationShape | undefined,
): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  if (!authentication) return {};
  const names = [...new Set(authentication.schemes)];
  return {
    securitySchemes: Object.fromEntries(names.map((scheme) => [scheme, { httpAuthSecurityScheme: { scheme } }])),
    securityRequirements: names.map((name) => ({ schemes: Object.fromEntries([[name, { list: [] }]]) })),
  };
}

export const writeAuthentication = (schemes: Readonly<Record<string, SecurityScheme>>): AuthenticationShape => ({
  schemes: [...new Set(Object.values(schemes).map(nameOf))],
});

function nameOf(scheme: SecurityScheme): string {
  if (scheme.httpAuthSecurityScheme) return scheme.httpAuthSecurityScheme.scheme;
  if (scheme.apiKeySecurityScheme) return "ApiKey";
  if (scheme.oauth2SecurityScheme) return "OAuth2";
  return scheme.openIdConnectSecurityScheme ? "OpenIdConnect" : "MutualTLS";
}
