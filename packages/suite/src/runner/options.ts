import type { Binding, DialectVersion } from "@assay/protocol";
import type { HeaderPairs, HttpClientOptions, Secret } from "@assay/wire";
import type { Depth } from "../report/events.ts";
import type { RuleSet } from "../rules/catalogue.ts";

/** The behaviours that a message can be known to bring about. */
export const promptKinds = [
  /** answered with a task that ends by itself */
  "task",
  /** answered with a message and no task */
  "message",
  /** streamed: a task with an artifact, in chunks where the agent can */
  "stream",
  /** a task that works for some seconds and can be cancelled */
  "slow",
  "inputRequired",
  "authRequired",
  "failure",
  "rejected",
  /** a task with a file in an artifact */
  "file",
  /** a task with structured data in an artifact */
  "data",
  /** what to answer when the agent asks back */
  "followUp",
] as const;
export type PromptKind = (typeof promptKinds)[number];

/** Somebody the agent knows: what to show it as credentials. */
export interface Principal {
  readonly headers: HeaderPairs;
}

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
  /** methods of JSON-RPC that extensions bring, and that nobody may call without credentials */
  readonly protectedMethods?: readonly string[];
  /** addresses of the cards of other agents on the same host */
  readonly otherCards?: readonly string[];
  /** URIs of bindings of the agent's own that cannot stream */
  readonly silentBindings?: readonly string[];
}

/** A failure that somebody knows of and lives with for now. */
export interface BaselineEntry {
  /** the rule */
  readonly check: string;
  /** the binding, or "card"; everywhere unless given */
  readonly interface?: string;
  readonly reason: string;
  /** comes and goes: its absence is no news */
  readonly flaky?: boolean;
  /** ISO date after which the entry counts no more */
  readonly expires?: string;
}

/** Everything a run needs to know; only `url`, `run`, `version` and `connection` have no sensible default. */
export interface TestOptions {
  /** the agent, its card, or its host */
  readonly url: string;
  /** where the card is, when it cannot be found from `url` */
  readonly card?: string;
  /** the id of the run */
  readonly run: string;
  /** of this tool */
  readonly version: string;
  /** how to reach the agent; exchanges are recorded by the run itself */
  readonly connection: Omit<HttpClientOptions, "recording">;
  /** masked wherever something is written */
  readonly secrets?: readonly Secret[];
  /** credentials, sent with every request to the host of `url`, the card's included */
  readonly headers?: HeaderPairs;
  /** others the agent knows: `second` is isolated from the first, `restricted` may do less */
  readonly principals?: { readonly second?: Principal; readonly restricted?: Principal };
  readonly depth?: Depth;
  readonly bindings?: readonly Binding[];
  readonly dialects?: readonly DialectVersion[];
  /** by which published text the agent is judged; the newest unless given */
  readonly ruleSet?: RuleSet;
  /** ids, globs of ids, areas ("push-notifications"), or sections ("§3.1.4") */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** what to say to bring about a behaviour: a text, or parts of a message */
  readonly prompts?: Partial<Record<PromptKind, string>>;
  readonly expectations?: Expectations;
  /** skill to speak to, when several could do */
  readonly skill?: string;
  /** message conventions of other suites the agent answers to, though its card does not say so */
  readonly convention?: "tck" | "acts";
  /** may use the examples of the card's skills as messages */
  readonly useExamples?: boolean;
  /** the most working messages to send */
  readonly budget?: number;
  /** calls at a time that make no work; working messages are always two at a time */
  readonly concurrency?: number;
  /** requests a second, at most */
  readonly rate?: number;
  readonly strict?: boolean;
  /** allows what could hurt: huge, deep or endless input, floods */
  readonly rude?: boolean;
  /** milliseconds: how long a task may take */
  readonly taskTimeout?: number;
  /** milliseconds: how long to wait before saying that something did not happen */
  readonly grace?: number;
  /** milliseconds: how long to try when nobody answers yet */
  readonly warmUp?: number;
  /** where the agent can reach us with notifications; loopback unless given */
  readonly webhook?: { readonly listen?: { readonly host: string; readonly port: number }; readonly url?: string };
  readonly baseline?: readonly BaselineEntry[];
  /** a production deployment: TLS and the like are expected */
  readonly production?: boolean;
  readonly signal?: AbortSignal;
}
