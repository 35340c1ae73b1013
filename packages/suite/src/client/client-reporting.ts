import type { DialectVersion } from "@assay/protocol";
import type { Masker, PeerInterface } from "@assay/wire";
import type { BaselineEntry } from "../define/baseline-entry.ts";
import type { Declaration, Findings } from "../define/check.ts";
import type { RunEvent } from "../report/events.ts";
import { type RuleSet, ruleIn, ruleSetFor } from "../rules/catalogue.ts";
import { Reporting } from "../runner/reporting.ts";
import type { SpokenInterface } from "./situation-check.ts";

/** How results about a client are told. */
export interface ClientReportingOptions {
  readonly masker: Masker;
  readonly strict?: boolean;
  readonly baseline?: readonly BaselineEntry[];
  readonly ruleSet?: RuleSet;
  /** whether the client claims to speak a version: what was never claimed is told, and fails no client */
  readonly claims?: (dialect: DialectVersion) => boolean;
  /** a line for the shell that shows a finding again */
  readonly repeat?: (situation: string | undefined) => string | undefined;
}

/** Where something was seen; `on` is absent for what is about no interface. */
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

/** Turns what was found about a client into results: one for each rule, version and binding, the gravest. */
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

  /** Our own error in a check: that rule was not examined. */
  trouble(check: Declaration, { dialect, on, situation }: ClientPlace, error: unknown): void {
    this.#situation = situation;
    this.#told.add(keyOf(check.id, dialect, on));
    this.#reportIn(dialect).trouble({ check, on: on && clientInterface(on) }, error);
  }

  /** Whether anything was said of a rule there, or about the client as a whole. */
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

  /** A curl line would repeat what the client sent to an agent that is gone; what shows it again is the client itself. */
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
