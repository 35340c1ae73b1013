import { openTask, tck } from "../conventions/tck.ts";
import { actsTokens } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";

/** Suites whose expectations the spec agent can be tuned to; see docs/conventions.md. */
export const profiles = ["tck", "acts"] as const;
export type Profile = (typeof profiles)[number];

export interface ProfileOptions {
  readonly profile: Profile;
  /** ACTS, second run: every call needs a token */
  readonly actsAuth?: boolean;
  /** ACTS, third run: every capability off */
  readonly actsReduced?: boolean;
}

/** An agent as the suite wants to meet it; one that the suite has no use for stays as it is. */
export function inProfile(agent: AgentDefinition, { profile, actsAuth, actsReduced }: ProfileOptions): AgentDefinition {
  if (profile === "tck") return tckAgents[agent.path]?.(agent) ?? agent;
  return agent.path === "spec" ? forActs(agent, actsAuth === true, actsReduced === true) : agent;
}

/** The TCK was written against the 1.0.0 text: its error table, its media type. */
const forTck = (agent: AgentDefinition): AgentDefinition => ({
  ...agent,
  conventions: [tck],
  errors: "1.0.0",
  habits: { plainJsonLabel: true, anyMediaType: true },
});

/** The TCK of 0.3 names its tasks otherwise, goes on with every one of them, and reads cards and errors in its own way. */
const forTckOf03 = ({ extended: _extended, ...agent }: AgentDefinition): AgentDefinition => ({
  ...forTck(agent),
  otherwise: openTask,
  habits: {
    anyMediaType: true,
    missingRpcId: true,
    errorsAsEvents: true,
    onlyPushConfig: true,
    foreignContexts: true,
    grpcScheme: true,
  },
});

/** Everything on, with an open extended card, and for its requirements about what an agent lacks or requires: the two that do. */
const tckAgents: Readonly<Record<string, (agent: AgentDefinition) => AgentDefinition>> = {
  spec: (agent) => ({
    ...forTck(agent),
    conventions: agent.conventions ?? [],
    push: true,
    extended: { skills: agent.extended?.skills ?? [] },
  }),
  minimal: forTck,
  strict: forTck,
  spec03: forTckOf03,
};

function forActs({ extended, ...agent }: AgentDefinition, auth: boolean, reduced: boolean): AgentDefinition {
  return {
    ...agent,
    streaming: !reduced,
    push: !reduced,
    ...(reduced ? {} : { extended: { skills: extended?.skills ?? [], access: actsTokens } }),
    ...(auth ? { access: actsTokens } : {}),
    habits: {
      missingVersion: true,
      missingMessageId: true,
      misplacedIds: true,
      contentTypeInMetadata: true,
      ownContextsOnly: true,
      quietContexts: true,
    },
  };
}
