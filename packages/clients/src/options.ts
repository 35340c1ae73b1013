import type { Binding, DialectVersion } from "@assay/protocol";
import type { BaselineEntry, RuleSet } from "@assay/suite";

/** Everything a test of a client needs to know; only the command, the run and the versions have no sensible default. */
export interface ClientTestOptions {
  /** the program and its arguments; `{url}` stands for the address of the agent */
  readonly command: readonly string[];
  /** a client within this process, in the place of the command, which is only its name then */
  readonly drive?: Drive;
  /** the environment that the command gets, besides what the situation adds */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder?: string;
  /** the id of the run */
  readonly run: string;
  /** of this tool */
  readonly version: string;
  /** milliseconds that the command may take in one situation; 10 s unless given */
  readonly timeout?: number;
  /** situations at a time; 2 unless given */
  readonly concurrency?: number;
  /** only these situations, and those that they rest on */
  readonly situations?: readonly string[];
  readonly bindings?: readonly Binding[];
  readonly dialects?: readonly DialectVersion[];
  /** ids of rules, or globs of them */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly ruleSet?: RuleSet;
  readonly strict?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  readonly signal?: AbortSignal;
}

/** Does what a situation asks for, told by the same words as a command; ends when the signal says so. */
export type Drive = (
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ readonly exit: number; readonly output: string; readonly errors?: string }>;
