import { actsTokens } from "./access.ts";
import type { AgentDefinition } from "./agent.ts";

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

/** The agent as the suite wants to meet it. */
export function inProfile(agent: AgentDefinition, { profile, actsAuth, actsReduced }: ProfileOptions): AgentDefinition {
  return profile === "tck" ? forTck(agent) : forActs(agent, actsAuth === true, actsReduced === true);
}

/** The TCK was written against the 1.0.0 text: its error table, its media type, an open extended card. */
const forTck = (agent: AgentDefinition): AgentDefinition => ({
  ...agent,
  push: true,
  errors: "1.0.0",
  extended: { skills: agent.extended?.skills ?? [] },
  habits: { plainJsonLabel: true, anyMediaType: true },
});

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
