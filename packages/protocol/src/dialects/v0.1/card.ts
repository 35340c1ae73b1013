import { defined } from "../../defined.ts";
import { isObject } from "../../json.ts";
import type { AgentCard, AgentSkill, SecurityScheme } from "../../model.ts";
import { mendItems, mending, mendMember } from "../mending.ts";
import { writeOnlyUrl } from "../v0.3/card/interfaces.ts";

/** A skill of 0.1 may omit its description and tags. Lost on output: security requirements. */
type SkillShape = Pick<AgentSkill, "id" | "name" | "examples" | "inputModes" | "outputModes"> &
  Partial<Pick<AgentSkill, "description" | "tags">>;

const readSkill = (skill: SkillShape): AgentSkill => ({
  ...defined({
    id: skill.id,
    name: skill.name,
    description: skill.description ?? "",
    examples: skill.examples,
    inputModes: skill.inputModes?.map(readMode),
    outputModes: skill.outputModes?.map(readMode),
  }),
  tags: skill.tags ?? [],
});

const writeSkill = ({ securityRequirements: _, description, ...skill }: AgentSkill): SkillShape =>
  defined({ ...skill, description: description || undefined });

const shortModes: Readonly<Record<string, string>> = {
  text: "text/plain",
  file: "application/octet-stream",
  data: "application/json",
};

/** Modes are media types, or the short names of the first cards. */
const readMode = (mode: string): string => (Object.hasOwn(shortModes, mode) ? shortModes[mode]! : mode);

/** Names of authentication schemes, any of which is sufficient. Their parameters and scopes are unknown. */
interface AuthenticationShape {
  readonly schemes: string[];
}

const mendAuthentication = mending((authentication, place) => {
  const { schemes } = authentication;
  if (typeof schemes !== "string") return;
  authentication["schemes"] = [schemes];
  place.at("schemes").note(`is the string ${JSON.stringify(schemes)}; read as a list with one element`);
});

/** Only a name is known, and scheme names belong to HTTP's `Authorization` header. */
function readAuthentication(
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

const writeAuthentication = (schemes: Readonly<Record<string, SecurityScheme>>): AuthenticationShape => ({
  schemes: [...new Set(Object.values(schemes).map(nameOf))],
});

function nameOf(scheme: SecurityScheme): string {
  if (scheme.httpAuthSecurityScheme) return scheme.httpAuthSecurityScheme.scheme;
  if (scheme.apiKeySecurityScheme) return "ApiKey";
  if (scheme.oauth2SecurityScheme) return "OAuth2";
  return scheme.openIdConnectSecurityScheme ? "OpenIdConnect" : "MutualTLS";
}

/**
 * The card of 0.1: one JSON-RPC URL, and names of authentication schemes without parameters. Members that 1.0 requires
 * and 0.1 omits are read as empty strings, and empty strings are not written.
 *
 * Lost on output: all interfaces but one, its version and tenant; names, parameters and requirements of security
 * schemes; extensions, the extended card, the icon, signatures. Lost on input: `credentials` and
 * `stateTransitionHistory`.
 */
export interface CardShape {
  readonly name: string;
  readonly description?: string;
  readonly url: string;
  readonly version: string;
  readonly provider?: { readonly organization: string; readonly url?: string };
  readonly documentationUrl?: string;
  readonly capabilities: { readonly streaming?: boolean; readonly pushNotifications?: boolean };
  readonly authentication?: AuthenticationShape;
  readonly defaultInputModes?: string[];
  readonly defaultOutputModes?: string[];
  readonly skills: SkillShape[];
}

export const mendCard = mending((card, place) => {
  for (const name of ["provider", "capabilities"]) mendMember(card, name, place, withoutNulls);
  mendItems(card, "skills", place, withoutNulls);
  mendMember(card, "authentication", place, mendAuthentication);
});

const withoutNulls = mending(() => {});

export function readCard(card: CardShape): AgentCard {
  const { provider, authentication, defaultInputModes = ["text"], defaultOutputModes = ["text"] } = card;
  const { streaming, pushNotifications } = card.capabilities;
  return {
    ...defined({
      name: card.name,
      description: card.description ?? "",
      provider: provider && { url: provider.url ?? "", organization: provider.organization },
      version: card.version,
      documentationUrl: card.documentationUrl,
      capabilities: defined({ streaming, pushNotifications }),
      defaultInputModes: defaultInputModes.map(readMode),
      defaultOutputModes: defaultOutputModes.map(readMode),
      skills: card.skills.map(readSkill),
    }),
    ...readAuthentication(authentication),
    supportedInterfaces: [{ url: card.url, protocolBinding: "JSONRPC", protocolVersion: "0.1" }],
  };
}

export function writeCard(card: AgentCard): CardShape {
  const { provider, securitySchemes } = card;
  const { streaming, pushNotifications } = card.capabilities;
  return defined({
    name: card.name,
    description: card.description || undefined,
    url: writeOnlyUrl(card.supportedInterfaces, "0.1"),
    version: card.version,
    provider: provider && defined({ organization: provider.organization, url: provider.url || undefined }),
    documentationUrl: card.documentationUrl,
    capabilities: defined({ streaming, pushNotifications }),
    authentication: securitySchemes && writeAuthentication(securitySchemes),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(writeSkill),
  });
}
