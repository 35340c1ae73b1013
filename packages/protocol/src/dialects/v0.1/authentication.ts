import { isObject } from "../../json.ts";
import type { AgentCard, SecurityScheme } from "../../model.ts";
import { mending } from "../mending.ts";

/** Names of authentication schemes, any of which is sufficient. Their parameters and scopes are unknown. */
export interface AuthenticationShape {
  readonly schemes: string[];
}

export const mendAuthentication = mending((authentication, place) => {
  const { schemes } = authentication;
  if (typeof schemes !== "string") return;
  authentication["schemes"] = [schemes];
  place.at("schemes").note(`is the string ${JSON.stringify(schemes)}; read as a list with one element`);
});

/** Only a name is known, and scheme names belong to HTTP's `Authorization` header. */
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

/** Reads the `authentication` of a card of any version, as far as possible. */
export function namedLogins(card: unknown): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  const authentication = isObject(card) ? card["authentication"] : undefined;
  const schemes = isObject(authentication) ? [authentication["schemes"]].flat() : [];
  const names = schemes.filter((name) => typeof name === "string");
  return names.length ? readAuthentication({ schemes: names }) : {};
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
