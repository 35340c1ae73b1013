// Generated from rules/requires.yaml by `npm run generate`. Do not edit.

/** What a rule can require, and what that means. */
export const requirements = {
  "streaming": "capabilities.streaming is true",
  "pushNotifications": "capabilities.pushNotifications is true",
  "extendedAgentCard": "capabilities.extendedAgentCard is true",
  "no-streaming": "capabilities.streaming is false or absent",
  "no-pushNotifications": "capabilities.pushNotifications is false or absent",
  "no-extendedAgentCard": "capabilities.extendedAgentCard is false or absent",
  "extensions": "the card declares an extension",
  "requiredExtension": "the card declares an extension with required true",
  "signedCard": "the card has signatures",
  "securityRequirements": "the card declares authentication",
  "tenant": "an interface declares a tenant",
  "multiBinding": "two or more bindings of one version are tested",
  "interface-0.3": "the card also declares a 0.3 interface",
  "customBinding": "the card declares a custom binding",
  "credentials": "credentials of a user",
  "two-principals": "credentials of a second user, isolated from the first",
  "restricted-principal": "credentials of a user with fewer permissions",
  "two-tenants": "the card names two tenants",
  "production": "the operator marks the target as a production deployment",
  "publicWebhook": "a webhook of Assay that the agent can reach",
  "patience": "the operator allows a wait of one minute (--grace 60)",
  "expectation:protectedMethods": "which methods of extensions require authentication",
  "expectation:privilegedSkills": "which skills only some users may see",
  "expectation:otherCards": "the URLs of the cards of other agents on the host",
  "expectation:recall": "what the agent remembers from a conversation",
  "expectation:refinement": "which artifact the agent refines",
  "expectation:ambiguous": "a message that could mean several artifacts",
  "expectation:approvals": "how a user grants an authorization",
  "scenario:task": "returns a Task",
  "scenario:message": "returns a Message",
  "scenario:long": "works for several seconds",
  "scenario:multi-turn": "a task with several messages",
  "scenario:multi-task": "several tasks in one context",
  "scenario:artifact": "creates an artifact",
  "scenario:chunked-artifact": "streams an artifact in chunks",
  "scenario:input-required": "asks for input",
  "scenario:auth-required": "asks for an authorization"
} as const;

export type Requirement = keyof typeof requirements;
