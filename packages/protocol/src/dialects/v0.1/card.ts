import { defined } from "../../defined.ts";
import type { AgentCard } from "../../model.ts";
import { mendItems, mending, mendMember } from "../mending.ts";
import { writeOnlyUrl } from "../v0.3/card/interfaces.ts";
import {
  type AuthenticationShape,
  mendAuthentication,
  readAuthentication,
  writeAuthentication,
} from "./authentication.ts";
import { readMode, readSkill, type SkillShape, writeSkill } from "./skill.ts";

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
