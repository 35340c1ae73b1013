import type { AgentCard, AgentSkill } from "@assay/protocol";
import { type AgentDefinition, inputModes, outputModes } from "./agent.ts";
import type { Skill } from "./define.ts";

/** The Agent Card of an agent at an address. */
export function cardOf(agent: AgentDefinition, baseUrl: string, version: string): AgentCard {
  const url = `${baseUrl}/${agent.path}`;
  const declared = (tenant?: string) =>
    ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
      url,
      protocolBinding,
      protocolVersion: "1.0",
      ...(tenant === undefined ? {} : { tenant }),
    }));
  return {
    name: agent.name,
    description: agent.description,
    supportedInterfaces: [...declared(), ...(agent.tenants ?? []).flatMap((tenant) => declared(tenant))],
    provider: { url: baseUrl, organization: "Assay test bed" },
    version,
    capabilities: {
      streaming: agent.streaming,
      pushNotifications: agent.push,
      ...(agent.extensions
        ? {
            extensions: agent.extensions.map(({ uri, description, required }) => ({
              uri,
              description,
              ...(required ? { required } : {}),
            })),
          }
        : {}),
      extendedAgentCard: agent.extended !== undefined,
    },
    ...(agent.extended
      ? {
          securitySchemes: {
            extendedCard: {
              httpAuthSecurityScheme: {
                scheme: "Bearer",
                description: "Needed for the extended card only; everything else is open.",
              },
            },
          },
        }
      : {}),
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: agent.skills.map(skillEntry),
  };
}

/** The card for those who authenticated: complete, with the skills that others do not see. */
export function extendedCardOf(agent: AgentDefinition, baseUrl: string, version: string): AgentCard {
  const card = cardOf(agent, baseUrl, version);
  return { ...card, skills: [...card.skills, ...(agent.extended?.skills ?? []).map(skillEntry)] };
}

const skillEntry = ({ id, name, description, tags, examples, inputModes, outputModes }: Skill): AgentSkill => ({
  id,
  name,
  description,
  tags,
  examples,
  ...(inputModes ? { inputModes } : {}),
  ...(outputModes ? { outputModes } : {}),
});
