import { defined } from "../../defined.ts";
import type {
  AgentCard as CardShape,
  SecurityScheme as SchemeShape,
  AgentSkill as SkillShape,
} from "../../generated/model-0.3-proto.ts";
import type { AgentCard, AgentSkill, SecurityScheme } from "../../model.ts";
import { readInterfaces, writeInterfaces } from "../v0.3/card/interfaces.ts";
import { writeFlows } from "../v0.3/card/schemes.ts";

/**
 * The card of `a2a.v1`, served by gRPC and `GET /v1/card`. Security is written as in 1.0; interfaces and the extended
 * card flag as in the other 0.3 card. ProtoJSON omits empty lists, so a missing list is empty.
 *
 * Lost on output: signatures, `deviceCode` flows (with their scheme), `pkceRequired`, versions and tenants of
 * interfaces. Lost on input: signatures.
 */
export const readCard = (card: CardShape): AgentCard =>
  defined({
    name: card.name,
    description: card.description ?? "",
    supportedInterfaces: readInterfaces(card, "0.3"),
    provider: card.provider && { url: "", organization: "", ...card.provider },
    version: card.version,
    documentationUrl: card.documentationUrl,
    capabilities: defined({
      ...card.capabilities,
      extendedAgentCard: card.supportsAuthenticatedExtendedCard,
    }),
    // A flow of a2a.v1 lacks the additions of 1.0, and URLs that hold protobuf's default value.
    securitySchemes: card.securitySchemes as Record<string, SecurityScheme> | undefined,
    securityRequirements: card.security,
    defaultInputModes: card.defaultInputModes ?? [],
    defaultOutputModes: card.defaultOutputModes ?? [],
    skills: (card.skills ?? []).map(readSkill),
    iconUrl: card.iconUrl,
  });

const readSkill = ({ security, description = "", tags = [], ...skill }: SkillShape): AgentSkill =>
  defined({ ...skill, description, tags, securityRequirements: security });

export function writeCard(card: AgentCard): CardShape {
  const {
    supportedInterfaces,
    securityRequirements,
    securitySchemes,
    signatures: _,
    skills,
    capabilities,
    ...rest
  } = card;
  const { extendedAgentCard, ...others } = capabilities;
  const { additionalInterfaces, ...main } = writeInterfaces(supportedInterfaces, "0.3");
  return defined({
    ...rest,
    ...main,
    additionalInterfaces: additionalInterfaces && [...additionalInterfaces],
    protocolVersion: "0.3.0",
    capabilities: others,
    securitySchemes: securitySchemes && writeSchemes(securitySchemes),
    security: securityRequirements,
    skills: skills.map(({ securityRequirements: security, ...skill }) => defined({ ...skill, security })),
    supportsAuthenticatedExtendedCard: extendedAgentCard,
  });
}

function writeSchemes(schemes: Readonly<Record<string, SecurityScheme>>): Record<string, SchemeShape> {
  const written = Object.entries(schemes).flatMap(([name, scheme]): [string, SchemeShape][] => {
    const { oauth2SecurityScheme, ...others } = scheme;
    if (!oauth2SecurityScheme) return [[name, others]];
    const flows = writeFlows(oauth2SecurityScheme.flows);
    return flows ? [[name, { oauth2SecurityScheme: { ...oauth2SecurityScheme, flows } }]] : [];
  });
  return Object.fromEntries(written);
}
