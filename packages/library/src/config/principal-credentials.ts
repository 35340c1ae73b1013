import type { CredentialNames, GivenCredentials } from "../connection/credentials.ts";
import type { PrincipalSettings } from "./assay-yaml.ts";

/** What a principal of assay.yaml is given, as credentials are given anywhere. */
export const givenIn = ({ bearer, apiKey, basic, oauth, headers, cert, key }: PrincipalSettings): GivenCredentials => ({
  ...(bearer !== undefined && { bearer }),
  ...(apiKey !== undefined && { apiKey }),
  ...(basic !== undefined && { basic }),
  ...(oauth && { oauth }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
  headers: Object.entries(headers ?? {}).map(([name, value]) => `${name}:${value}`),
});

/** How its members are called, for messages. */
export const namesIn = (place: string, owner: string): CredentialNames => ({
  nameOf: (name) => `${place}.${name === "oauthClient" ? "oauth" : name}`,
  ...(owner !== "default" && { owner: owner.replaceAll(/[^\w]+/g, "-") }),
});
