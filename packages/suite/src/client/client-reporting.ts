import type { DialectVersion } from "@assay/protocol";
import type { Masker, PeerInterface } from "@assay/wire";
import type { BaselineEntry } from "../define/baseline-entry.ts";
import type { Declaration, Findings } from "../define/check.ts";
import type { RunEvent } from "../report/events.ts";
import { type RuleSet, ruleIn, ruleSetFor } from "../rules/catalogue.ts";
import { Reporting } from "../runner/reporting.ts";
import type { SpokenInterface } from "./situation-check.ts";

/** Options for reporting results about a client. */
export interface ClientReportingOptions {
  readonly masker: Masker;
  readonly strict?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  readonly ruleSet?: RuleSet;
  /**
   * returns true if the client claims to speak a version; breaches in other versions are reported and never fail a
   * client
   */
  readonly claims?: (dialect: DialectVersion) => boolean;
  /** a shell command that reproduces a finding */
  readonly repeat?: (situation: string | undefined) => string | undefined;
}

/** The place of a finding. `on` is absent for findings that concern no interface. */
export interface ClientPlace {
  readonly dialect: DialectVersion;
  readonly on?: SpokenInterface | undefined;
  readonly situation?: string | undefined;
}

/** Addresses differ from situation to situation, and say nothing about the client. */
const anyAddress = "http://127.0.0.1";

export const clientInterface = ({ dialect, binding }: SpokenInterface): PeerInterface => ({
  url: anyAddress,
  dialect,
  binding,
});

/** Turns findings about a client into results: for each rule, version and binding the most severe one. */
export class ClientReporting {
  readonly #options: ClientReportingOptions;
  readonly #emit: (event: RunEvent) => void;
  readonly #reports = new Map<DialectVersion, Reporting>();
  readonly #told = new Set<string>();
  #situation: string | undefined;

  constructor(options: ClientReportingOptions, emit: (event: RunEvent) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  finding(check: Declaration, { dialect, on, situation }: ClientPlace, findings: Findings): void {
    if (!ruleIn(dialect, check.id)) return;
    this.#situation = situation;
    this.#told.add(keyOf(check.id, dialect, on));
    this.#reportIn(dialect).finding({ check, on: on && clientInterface(on) }, findings);
  }

  /** Reports an internal error in a check: the rule was not examined. */
  trouble(check: Declaration, { dialect, on, situation }: ClientPlace, error: unknown): void {
    this.#situation = situation;
    this.#told.add(keyOf(check.id, dialect, on));
    this.#reportIn(dialect).trouble({ check, on: on && clientInterface(on) }, error);
  }

  /** Returns true if a result exists for a rule there, or for the client as a whole. */
  hasTold(id: string, dialect: DialectVersion, on: SpokenInterface | undefined): boolean {
    return this.#told.has(keyOf(id, dialect, on)) || this.#told.has(keyOf(id, dialect, undefined));
  }

  #reportIn(dialect: DialectVersion): Reporting {
    const known = this.#reports.get(dialect);
    if (known) return known;
    const { masker, strict = false, baseline = [], ruleSet, claims = () => true } = this.#options;
    const today = new Date().toISOString().slice(0, 10);
    const context = {
      masker,
      strict,
      baseline,
      today,
      dialect,
      declared: claims(dialect),
      ruleSet: ruleSetFor(dialect, ruleSet),
    };
    const report = new Reporting(context, (event) => this.#emit(this.#placed(event)));
    this.#reports.set(dialect, report);
    return report;
  }

  /**
   * A curl command would send the request to an agent that no longer runs. Only the client itself can reproduce the
   * finding.
   */
  #placed(event: RunEvent): RunEvent {
    if (event.event !== "check-finished") return event;
    const { repeat: _curl, ...result } = event.result;
    const matters = result.verdict === "fail" || result.warning !== undefined;
    const repeat = matters ? this.#options.repeat?.(this.#situation) : undefined;
    return {
      ...event,
      result: {
        ...result,
        ...(this.#situation !== undefined && { situation: this.#situation }),
        ...(repeat !== undefined && { repeat }),
      },
    };
  }
}

const keyOf = (id: string, dialect: DialectVersion, on: SpokenInterface | undefined): string =>
  `${id} ${dialect} ${on?.binding ?? ""}`;
