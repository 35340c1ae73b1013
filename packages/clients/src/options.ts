import type { Binding, DialectVersion } from "@assay/protocol";
import type { BaselineEntry, ClientAction, RuleSet } from "@assay/suite";

/** Options of a client test. Only the command, the run and the version have no default. */
export interface ClientTestOptions {
  /** the program and its arguments; `{url}` is replaced by the address of the agent */
  readonly command: readonly string[];
  /** a client inside this process, used instead of the command, which then is only a name */
  readonly drive?: Drive;
  /** the command stays and reads situations from stdin, one JSON line each */
  readonly stdin?: boolean;
  /** the environment of the command, to which each situation adds variables */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  /** the id of the run */
  readonly run: string;
  /** the version of Assay */
  readonly version: string;
  /** maximum time for the command per situation, in milliseconds (default: 10 s) */
  readonly timeout?: number;
  /** situations to run at the same time (default: 2) */
  readonly concurrency?: number;
  /** run only these situations, and those they depend on */
  readonly situations?: readonly string[];
  /** the actions that the client supports, `send` among them; Assay skips situations with another one (default: all) */
  readonly can?: readonly ClientAction[];
  /** run the situations with injected faults, too */
  readonly faults?: boolean;
  /** run the situations that only a profile uses, too */
  readonly profiled?: boolean;
  readonly bindings?: readonly Binding[];
  readonly dialects?: readonly DialectVersion[];
  /** rule ids or globs */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly ruleSet?: RuleSet;
  readonly strict?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  readonly signal?: AbortSignal;
}

/** Does what a situation asks for. Gets the same variables as a command, and must end when the signal aborts. */
export type Drive = (
  environment: ClientEnvironment,
  signal: AbortSignal,
) => Promise<{
  readonly exit: number;
  readonly output: string;
  readonly errors?: string;
  /** the reason why it could not be started */
  readonly trouble?: string;
}>;

/** Environment variables of one situation. A type, not an interface, so that it can be passed on as an environment. */
export type ClientEnvironment = {
  /** base URL of the agent */
  readonly ASSAY_AGENT_URL: string;
  readonly ASSAY_ACTION: ClientAction;
  /** the id of the situation */
  readonly ASSAY_SITUATION: string;
  /** the expected behaviour in one sentence */
  readonly ASSAY_ASKS: string;
  /** the text to send */
  readonly ASSAY_MESSAGE?: string;
  /** the text of the second message */
  readonly ASSAY_REPLY?: string;
  /** the id of an existing task */
  readonly ASSAY_TASK?: string;
  readonly ASSAY_BEARER?: string;
  /** URIs, separated by commas */
  readonly ASSAY_EXTENSIONS?: string;
  /** the only protocol version to use */
  readonly ASSAY_VERSION?: string;
};
