import { defined } from "@assay/protocol";
import type { CredentialNames, GivenCredentials } from "../connection/credentials.ts";
import type { PrincipalSettings } from "./assay-yaml.ts";

/** Converts the credentials of a principal in assay.yaml to the form that all sources of credentials share. */
export const givenIn = ({ bearer, apiKey, basic, oauth, headers, cert, key }: PrincipalSettings): GivenCredentials => ({
  ...defined({ bearer, apiKey, basic, oauth, cert, key }),
  headers: Object.entries(headers ?? {}).map(([name, value]) => `${name}:${value}`),
});

/** Returns the names of its members for messages. */
export const namesIn = (place: string, owner: string): CredentialNames => ({
  nameOf: (name) => `${place}.${name === "oauthClient" ? "oauth" : name}`,
  ...(owner !== "default" && { owner: owner.replaceAll(/[^\w]+/g, "-") }),
});
