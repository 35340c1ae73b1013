import type { Requirement } from "../generated/requires.ts";
import type { Category, RuleLevel, Tag } from "../report/result.ts";
import type { DraftSet } from "./rule-sets.ts";

export interface OlderWords {
  readonly of: readonly ("0.3" | "0.2" | "0.1" | "proto")[];
  readonly title?: string;
  readonly remedy?: string;
}

/** One requirement of the specification: a row of a catalogue. The head of `1.0.yaml` explains the members. */
export interface Rule {
  readonly id: string;
  readonly section: string;
  /** the first text that contains it, if not the first of its version; `main` and drafts are newer than 1.0.1 */
  readonly since?: "1.0.1" | "main" | DraftSet | "0.2.1" | "0.2.2" | "0.2.4" | "0.2.5" | "0.2.6";
  readonly level: RuleLevel;
  /** its level in 1.0.0, if that differs from the current text */
  readonly levelIn100?: RuleLevel;
  /** the party that has to comply */
  readonly actor: "server" | "client" | "card";
  /** its section of the report */
  readonly category: Category;
  /** other names that select it */
  readonly tags?: readonly Tag[];
  readonly bindings: readonly ("jsonrpc" | "rest" | "grpc")[];
  /** preconditions that must all hold; `requires.yaml` explains them */
  readonly requires: readonly Requirement[];
  readonly text: string;
  /** the behaviour that a check of this rule expects, in the present tense; every checked rule has one */
  readonly title?: string;
  /** the fix, naming field and value; every checked rule has one */
  readonly remedy?: string;
  /**
   * title and remedy for older versions, where translating names is not enough; `proto` is 0.3 over HTTP+JSON and gRPC
   */
  readonly older?: readonly OlderWords[];
  /** the way to prove it from outside */
  readonly check: string;
  /** a way to break it; for a checked rule, the behaviour of one of its mutants */
  readonly breaks: string;
  /** why a checked MUST of 1.0 never fails unless the agent crashes */
  readonly onlyWarns?: string;
  readonly basis: "stated" | "schema" | "prose" | "guide" | "derived";
  readonly testability: "black-box" | "needs-setup" | "client-testbed" | "unobservable";
  readonly ambiguity?: readonly string[];
  readonly source: readonly string[];
}
