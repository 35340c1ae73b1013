import type { Operation } from "@assay/protocol";

/** What only the operator can know about an agent. Rules that rest on it are not examined without. */
export interface Expectations {
  /** a question about what `prompts.task` said, asked in the same context, and a word that the answer then has */
  readonly recall?: { readonly ask: string; readonly expect: string };
  /** asks for another version of what `prompts.task` made */
  readonly refinement?: string;
  /** the same, where it is unclear which of several results of `prompts.task` is meant */
  readonly ambiguous?: string;
  /** how the approval is given that `prompts.authRequired` makes the agent ask for; a refusal is none */
  readonly approvals?: string;
  /** ids of skills that `principals.restricted` must not find on the extended card */
  readonly privilegedSkills?: readonly string[];
  /** operations that `principals.restricted` has no permission for */
  readonly forbiddenOperations?: readonly Operation[];
  /** methods of JSON-RPC that extensions bring, and that must not be served without credentials */
  readonly protectedMethods?: readonly string[];
  /** addresses of the cards of other agents on the same host */
  readonly otherCards?: readonly string[];
  /** URIs of bindings of the agent's own that cannot stream */
  readonly silentBindings?: readonly string[];
}
