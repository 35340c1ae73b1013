import { ContractLab, type LabOptions, type LearnedSpellings, type Probe } from "./lab.ts";
import { type ContractOutcome, Inapplicable, NotMeasured } from "./outcome.ts";
import { probes } from "./probes/index.ts";
import type { ContractRequirement } from "./requirement.ts";
import { requirements } from "./requirements.ts";

export interface MeasureOptions extends Omit<LabOptions, "learned" | "signal"> {
  readonly signal?: AbortSignal;
  readonly concurrency?: number;
  /** measure only these requirements and those they need */
  readonly only?: readonly string[];
  readonly onMeasured?: (requirement: ContractRequirement, outcome: ContractOutcome, done: number) => void;
}

/** The measurement of one tool: an outcome for every requirement. */
export interface ContractMeasurement {
  readonly outcomes: ReadonlyMap<string, ContractOutcome>;
  readonly learned: LearnedSpellings;
  /** the reason why the command could not be started */
  readonly trouble?: string;
}

/** Measures a command-line client against the contract. */
export async function measureContract(options: MeasureOptions): Promise<ContractMeasurement> {
  const learned: LearnedSpellings = { speaks: new Set(), defaults: new Map(), codes: new Set() };
  const outcomes = new Map<string, ContractOutcome>();
  const signal = options.signal ?? new AbortController().signal;
  const wanted = withNeeded(options.only);
  let trouble: string | undefined;
  const settle = (requirement: ContractRequirement, outcome: ContractOutcome): void => {
    outcomes.set(requirement.id, outcome);
    options.onMeasured?.(requirement, outcome, outcomes.size);
  };
  const measure = async (requirement: ContractRequirement): Promise<void> => {
    if (trouble !== undefined) return settle(requirement, notStarted);
    if (signal.aborted) return settle(requirement, interrupted);
    if (!wanted.has(requirement.id)) return settle(requirement, notMeasured("excluded by --only"));
    const { needs } = requirement;
    const needed = needs === undefined ? undefined : outcomes.get(needs)?.status;
    if (needed !== undefined && needed !== "pass" && needed !== "partial")
      return settle(requirement, notMeasured(`needs ${needs}, which has the outcome ${needed}`));
    const lab = { ...options, signal, learned };
    const first = await probeOnce(requirement, lab);
    // The machine may be busy: a probe with a run that exceeded its time gets a second attempt with twice the time.
    const last =
      first.isLate && !signal.aborted
        ? await probeOnce(requirement, { ...lab, timeoutMs: 2 * options.timeoutMs })
        : first;
    trouble ??= last.trouble;
    // Runs that were killed say nothing about the tool.
    if (trouble !== undefined) return settle(requirement, notStarted);
    settle(requirement, signal.aborted ? interrupted : last.outcome);
  };
  for (const rank of ranks()) {
    const waiting = [...rank];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await measure(next);
    };
    await Promise.all(Array.from({ length: options.concurrency ?? 2 }, work));
  }
  return { outcomes, learned, ...(trouble !== undefined && { trouble }) };
}

const notMeasured = (note: string): ContractOutcome => ({ status: "not_measured", note, faults: [] });

const interrupted = notMeasured("the run was interrupted");
const notStarted = notMeasured("the command could not be started");

interface Probed {
  readonly outcome: ContractOutcome;
  readonly isLate: boolean;
  readonly trouble: string | undefined;
}

async function probeOnce({ id }: ContractRequirement, options: LabOptions): Promise<Probed> {
  const lab = await ContractLab.open(options);
  try {
    return { outcome: await outcomeOf(lab, probes[id]), isLate: lab.isLate, trouble: lab.trouble };
  } finally {
    await lab.close();
  }
}

/** Runs a probe. If it throws, only its requirement is not measured. */
export async function outcomeOf(lab: ContractLab, probe: Probe | undefined): Promise<ContractOutcome> {
  try {
    if (!probe) return notMeasured("Assay has no probe for it");
    await probe(lab);
    return lab.outcome;
  } catch (error) {
    if (error instanceof Inapplicable) return { status: "na", note: error.message, faults: [] };
    // A fault that was seen before counts.
    if (lab.outcome.faults.length) return lab.outcome;
    if (error instanceof NotMeasured) return notMeasured(error.message);
    return notMeasured(
      lab.publishable(`the probe of Assay stopped: ${error instanceof Error ? error.message : error}`),
    );
  }
}

/** Returns the ids of some requirements and of everything they need; all of them by default. */
function withNeeded(only: readonly string[] | undefined): ReadonlySet<string> {
  const wanted = new Set<string>();
  const want = (id: string): void => {
    const found = requirements.find((each) => each.id === id);
    if (!found || wanted.has(id)) return;
    wanted.add(id);
    if (found.needs !== undefined) want(found.needs);
  };
  for (const id of only ?? requirements.map((each) => each.id)) want(id);
  return wanted;
}

/** Groups the requirements so that each one comes after the requirement that it needs. */
function ranks(): readonly (readonly ContractRequirement[])[] {
  const rankOf = ({ needs }: ContractRequirement): number =>
    needs === undefined ? 0 : rankOf(requirements.find(({ id }) => id === needs)!) + 1;
  const highest = Math.max(...requirements.map(rankOf));
  return Array.from({ length: highest + 1 }, (_, rank) => requirements.filter((each) => rankOf(each) === rank));
}
