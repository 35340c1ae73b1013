import type { Operation } from "@assay/protocol";

/** Facts about an agent that only the operator knows. Without them, Assay does not examine the rules that need them. */
export interface Expectations {
  /** a question about the text of `prompts.task`, in the same context, and a word that the answer must contain */
  readonly recall?: { readonly ask: string; readonly expect: string };
  /** asks for another version of the result of `prompts.task` */
  readonly refinement?: string;
  /** the same request, when several results of `prompts.task` could be meant */
  readonly ambiguous?: string;
  /** how to give the approval that `prompts.authRequired` makes the agent ask for */
  readonly approvals?: string;
  /** ids of skills that the extended card must hide from `principals.restricted` */
  readonly privilegedSkills?: readonly string[];
  /** operations that `principals.restricted` may not use */
  readonly forbiddenOperations?: readonly Operation[];
  /** JSON-RPC methods of extensions that require credentials */
  readonly protectedMethods?: readonly string[];
  /** addresses of other agents' cards on the same host */
  readonly otherCards?: readonly string[];
  /** URIs of custom bindings that cannot stream */
  readonly silentBindings?: readonly string[];
}
