import type { AgentCard, AgentInterface, AgentSkill, Binding, DialectVersion } from "@assay/protocol";
import type { Logins } from "../definition/access.ts";
import { type AgentDefinition, inputModes, outputModes } from "../definition/agent.ts";
import type { Skill } from "../definition/skill.ts";

/** The addresses of an agent: over HTTP below one URL, over gRPC at another. */
export interface Address extends Logins {
  /**
   * `host:port`, or with https:// before it; `byTenant` if the agent is reached only by its name as the
   * tenant
   */
  readonly grpc: { readonly target: string; readonly byTenant: boolean };
}

/** Builds the Agent Card of an agent at an address, in the format of 1.0 for every version. */
export function cardOf(agent: AgentDefinition, address: Address, version: string): AgentCard {
  const { baseUrl } = address;
  const dialects = agent.dialects ?? ["1.0"];
  return {
    name: agent.name,
    description: agent.description,
    supportedInterfaces: dialects
      .flatMap((dialect) => withLater(interfacesOf(agent, dialect, address), agent))
      .filter(({ protocolBinding }) => agent.bindings?.some((each) => each === protocolBinding) ?? true),
    provider: { url: baseUrl, organization: "Assay test bed" },
    version,
    capabilities: {
      streaming: agent.streaming,
      pushNotifications: agent.push,
      ...(agent.extensions?.length
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
    ...securityOf(agent, address),
    defaultInputModes: inputModes,
    defaultOutputModes: outputModes,
    skills: agent.skills.map(skillEntry),
  };
}

function interfacesOf(agent: AgentDefinition, dialect: DialectVersion, { baseUrl, grpc }: Address): AgentInterface[] {
  const url = `${baseUrl}/${agent.path}`;
  const at = (protocolBinding: Binding, place = url, tenant?: string): AgentInterface => ({
    url: place,
    protocolBinding,
    protocolVersion: dialect,
    ...(tenant === undefined ? {} : { tenant }),
  });
  if (dialect === "0.1") return [at("JSONRPC")];
  // The extended card of 0.2 is at `{url}/../agent/…`: with the slash, that is below the agent.
  if (dialect === "0.2") return [at("JSONRPC", agent.extended ? `${url}/` : url)];
  const isNative = (agent.dialects?.[0] ?? "1.0") === dialect;
  const overHttp = (tenant?: string) => [at("JSONRPC", url, tenant), at("HTTP+JSON", url, tenant)];
  // 0.3 has no tenant that could name an agent.
  const isReached = isNative && (!grpc.byTenant || dialect === "1.0");
  const overGrpc = isReached ? [at("GRPC", grpc.target, grpc.byTenant ? agent.path : undefined)] : [];
  return [...overHttp(), ...overGrpc, ...(dialect === "1.0" ? (agent.tenants ?? []).flatMap(overHttp) : [])];
}

/** Lists the later versions that share the form of 1.0 before it: clients take the first that they know. */
const withLater = (interfaces: AgentInterface[], { later = [] }: AgentDefinition): AgentInterface[] => [
  ...later.flatMap((version) =>
    interfaces
      .filter(({ protocolVersion }) => protocolVersion === "1.0")
      .map((on) => ({ ...on, protocolVersion: version })),
  ),
  ...interfaces,
];

function securityOf(
  { access, extended }: AgentDefinition,
  logins: Logins,
): Pick<AgentCard, "securitySchemes" | "securityRequirements"> {
  if (access) {
    const schemes = { ...access.schemes, ...access.schemesAt?.(logins) };
    const needs = (name: string) => (access.scopes?.[name] ? { list: [...access.scopes[name]] } : {});
    const alternatives = Object.keys(schemes).map((name) => ({ schemes: { [name]: needs(name) } }));
    return { securitySchemes: schemes, securityRequirements: alternatives };
  }
  return extended?.access ? { securitySchemes: { ...extended.access.schemes } } : {};
}

/** Builds the extended card, with the skills for authenticated callers. */
export function extendedCardOf(agent: AgentDefinition, address: Address, version: string): AgentCard {
  const card = cardOf(agent, address, version);
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
