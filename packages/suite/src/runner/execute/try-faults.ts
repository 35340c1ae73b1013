import type { Observation } from "../../define/observation.ts";
import { Obstacle } from "../../define/obstacle.ts";
import { type Advice, adviceRows } from "../../faults/advice.ts";
import { type FaultSituation, faultSituations } from "../../faults/index.ts";
import type { Depth } from "../../report/events.ts";
import type { TestOptions } from "../options.ts";
import { type Preconditions, promptMissing, unmetPrecondition } from "../plan/applicability.ts";
import type { RunContext } from "../run-context.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";

/** The result of a situation: advice, or the reason why Assay did not examine it. */
interface FaultTried {
  readonly name: string;
  readonly advice: readonly Advice[];
  readonly unexamined?: string;
  /** the run ended during the situation */
  readonly isLast?: true;
}

/** Lists the situations that the operator asked for. */
export const faultsAsked = ({ faults }: Pick<TestOptions, "faults">): readonly FaultSituation[] =>
  faults ? faultSituations : [];

/** Returns the observations of the situations that concern the agent. */
export const faultObservations = (
  asked: readonly FaultSituation[],
  depth: Depth,
  preconditions: Preconditions,
): Observation<unknown>[] =>
  asked
    .filter(({ requires }) => sends(depth) && !unmetPrecondition(requires, preconditions))
    .map(({ observation }) => observation);

const sends = (depth: Depth): boolean => depth === "quick" || depth === "full";

interface FaultRun {
  readonly target: InterfaceUnderTest | undefined;
  readonly depth: Depth;
  readonly context: RunContext;
}

/** Tries the situations one after the other. A situation that ends the agent is the last one. */
export async function tryFaults(asked: readonly FaultSituation[], run: FaultRun): Promise<FaultTried[]> {
  const tried: FaultTried[] = [];
  for (const situation of asked) tried.push(await tryFault(situation, run));
  return tried;
}

async function tryFault({ requires, observation }: FaultSituation, run: FaultRun): Promise<FaultTried> {
  const { target, depth, context } = run;
  const { name, prompts = [] } = observation;
  const not = (unexamined: string): FaultTried => ({ name, advice: [], unexamined });
  if (!sends(depth)) return not(`--depth ${depth} sends no message`);
  if (!target) return not("no interface answers");
  if (context.signal.aborted) return not(runOver);
  const { preconditions } = context.versionOf(target.on);
  const unmet = unmetPrecondition(requires, preconditions) ?? promptMissing(prompts, preconditions.stimuli);
  if (unmet && unmet.is !== "holds" && unmet.is !== "breach") return not(reasonOf(unmet));
  const starts = context.restarts?.starts;
  const seen = await target.observe(observation).catch(unlessObstacle);
  // A call that ended with the run proves nothing.
  if (context.signal.aborted) return { ...not(runOver), isLast: true };
  const exits = context.restarts?.starts === starts ? [] : [exited];
  if (!(seen instanceof Obstacle)) return { name, advice: [...seen, ...exits] };
  return exits.length ? { name, advice: exits } : not(reasonOf(seen.kind));
}

const runOver = "the run ended before";

function unlessObstacle(error: unknown): Obstacle {
  if (error instanceof Obstacle) return error;
  throw error;
}

const reasonOf = (reason: { readonly because: string; readonly enable?: string }): string =>
  reason.enable === undefined ? reason.because : `${reason.because}; needs ${reason.enable}`;

const exited: Advice = { id: "FAULT-001", saw: "its process exited; repeat the run to confirm it" };

/** Blames the situation that ended the run for the silence of the agent. */
export const goneUnder = (tried: readonly FaultTried[]): FaultTried[] =>
  tried.map((each) =>
    each.isLast
      ? {
          name: each.name,
          advice: [{ id: "FAULT-001", saw: "no answer on any interface; repeat the run to confirm it" }],
        }
      : each,
  );

/** Returns notes with the advice, and with the situations that Assay examined. */
export function faultNotes(tried: readonly FaultTried[]): string[] {
  const examined = tried.filter(({ unexamined }) => unexamined === undefined);
  const coped = examined.filter(({ advice }) => advice.length === 0);
  const open = tried.flatMap(({ name, unexamined }) =>
    unexamined === undefined ? [] : [`faults: not examined: ${name} (${unexamined})`],
  );
  return [
    ...tried.flatMap(({ name, advice }) =>
      advice.map(({ id, saw }) => {
        const { breaks, remedy } = adviceRows[id];
        return `advice (${id}, ${name}): ${breaks} Saw: ${saw}. ${remedy}`;
      }),
    ),
    ...(examined.length
      ? [`faults: the agent copes with ${coped.length} of ${examined.length} examined situations`]
      : []),
    ...open,
  ];
}
