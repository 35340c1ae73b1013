import { defined } from "../../../defined.ts";
import type { AgentCard, AgentExtension, AgentSkill } from "../../../model.ts";
import { mendItems, mending, mendMember } from "../../mending.ts";
import type { ReadingPlace } from "../../place.ts";
import { has, type Release } from "../../releases.ts";
import { type InterfacesShape, readInterfaces, writeInterfaces, writeOnlyUrl } from "./interfaces.ts";
import {
  type RequirementShape,
  readRequirements,
  readSchemes,
  type SchemeShape,
  writeRequirements,
  writeSchemes,
} from "./schemes.ts";

/**
 * The card of 0.2 and 0.3. Interfaces, security schemes and requirements are written differently, and the extended card
 * flag is at the top instead of among the capabilities.
 *
 * Lost on output: signatures (no translation keeps them valid); skill security before 0.3; in earlier releases of 0.2,
 * everything that later ones added. Lost on input: signatures and `stateTransitionHistory`.
 */
export interface CardShape extends InterfacesShape {
  readonly protocolVersion?: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly provider?: NonNullable<AgentCard["provider"]>;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly capabilities: CapabilitiesShape;
  readonly securitySchemes?: Record<string, SchemeShape>;
  readonly security?: RequirementShape[];
  readonly defaultInputModes: string[];
  readonly defaultOutputModes: string[];
  readonly skills: SkillShape[];
  readonly supportsAuthenticatedExtendedCard?: boolean;
}

interface CapabilitiesShape {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly extensions?: (AgentExtension & { readonly uri: string })[];
}

type SkillShape = Omit<AgentSkill, "securityRequirements"> & { readonly security?: RequirementShape[] };

export const mendCard = mending((card, place) => {
  for (const name of ["provider", "capabilities"]) mendMember(card, name, place, withoutNulls);
  mendItems(card, "skills", place, withoutNulls);
});

const withoutNulls = mending(() => {});

export function readCard(card: CardShape, release: Release, place: ReadingPlace): AgentCard {
  const { schemes, namesOf } = readSchemes(card.securitySchemes ?? {}, place.at("securitySchemes"));
  const { streaming, pushNotifications, extensions } = card.capabilities;
  return defined({
    name: card.name,
    description: card.description,
    supportedInterfaces: readInterfaces(card, release === "0.3" ? "0.3" : "0.2"),
    provider: card.provider && { url: card.provider.url, organization: card.provider.organization },
    version: card.version,
    documentationUrl: card.documentationUrl,
    capabilities: defined({
      streaming,
      pushNotifications,
      extensions: extensions?.map(readExtension),
      extendedAgentCard: card.supportsAuthenticatedExtendedCard,
    }),
    securitySchemes: card.securitySchemes && schemes,
    securityRequirements: card.security && readRequirements(card.security, namesOf),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map((skill) => readSkill(skill, namesOf)),
    iconUrl: card.iconUrl,
  });
}

const readExtension = ({ uri, description, required, params }: AgentExtension): AgentExtension =>
  defined({ uri, description, required, params });

const readSkill = (skill: SkillShape, namesOf: (name: string) => readonly string[]): AgentSkill =>
  defined({
    id: skill.id,
    name: skill.name,
    description: skill.description,
    tags: skill.tags,
    examples: skill.examples,
    inputModes: skill.inputModes,
    outputModes: skill.outputModes,
    securityRequirements: skill.security && readRequirements(skill.security, namesOf),
  });

export function writeCard(card: AgentCard, release: Release): CardShape {
  const version = release === "0.3" ? "0.3" : "0.2";
  const { capabilities, supportedInterfaces, securitySchemes, securityRequirements } = card;
  return defined({
    protocolVersion: has(release, "protocolVersion") ? (release === "0.3" ? "0.3.0" : release) : undefined,
    name: card.name,
    description: card.description,
    ...(has(release, "interfaces")
      ? writeInterfaces(supportedInterfaces, version)
      : { url: writeOnlyUrl(supportedInterfaces, version) }),
    provider: card.provider,
    version: card.version,
    documentationUrl: card.documentationUrl,
    iconUrl: has(release, "iconUrl") ? card.iconUrl : undefined,
    capabilities: defined({
      streaming: capabilities.streaming,
      pushNotifications: capabilities.pushNotifications,
      extensions: has(release, "extensions")
        ? capabilities.extensions?.map((extension) => ({ uri: "", ...extension }))
        : undefined,
    }),
    securitySchemes: securitySchemes && writeSchemes(securitySchemes, release),
    security: securityRequirements && writeRequirements(securityRequirements),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map((skill) => writeSkill(skill, release)),
    supportsAuthenticatedExtendedCard: has(release, "extendedCard") ? capabilities.extendedAgentCard : undefined,
  });
}

function writeSkill({ securityRequirements, ...skill }: AgentSkill, release: Release): SkillShape {
  if (!securityRequirements || !has(release, "skillSecurity")) return skill;
  return { ...skill, security: writeRequirements(securityRequirements) };
}
