import { openTask, tck } from "../conventions/tck.ts";
import { actsTokens } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";

/** Suites to whose expectations the spec agent can be tuned; see docs/conventions.md. */
export const profiles = ["tck", "acts"] as const;
export type Profile = (typeof profiles)[number];

export interface ProfileOptions {
  readonly profile: Profile;
  /** ACTS, second run: every call needs a token */
  readonly actsAuth?: boolean;
  /** ACTS, third run: every capability off */
  readonly actsReduced?: boolean;
}

/** Tunes an agent to the suite. Agents that the suite does not use stay unchanged. */
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

/**
 * The TCK of 0.3 chooses its own task ids, continues every task, and reads cards and errors in its own way.
 */
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

/**
 * The agents for the TCK: one with every capability and a public extended card, and the two that its
 * requirements about missing or required features need.
 */
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
