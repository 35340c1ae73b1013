import type { Politeness } from "../politeness/politeness.ts";
import { isDatabaseAway, patiently } from "../queue/patience.ts";
import type { FleetLedger } from "./verdict.ts";

export interface PatientOptions {
  /** ends the waiting: what waits then throws */
  readonly signal: AbortSignal;
  /** the database does not answer, told once for each time it goes away */
  readonly away: (error: Error) => void;
  /** it answers again */
  readonly back: () => void;
}

/**
 * The ledger and the turns of a sweep that outlives its database: whatever is asked of them waits while it is away. All of it may be asked
 * twice, since a verdict is single by its key.
 */
export function patientWith(
  ledger: FleetLedger,
  politeness: Politeness,
  { signal, away, back }: PatientOptions,
): { readonly ledger: FleetLedger; readonly politeness: Politeness } {
  let isAway = false;
  const trouble = (error: Error): void => {
    if (!isAway) away(error);
    isAway = true;
  };
  const waits =
    <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
    async (...asked: Asked): Promise<Answer> => {
      const answer = await patiently(() => ask(...asked), { signal, trouble, passes: isDatabaseAway });
      if (isAway) back();
      isAway = false;
      return answer;
    };
  const turn = waits(politeness.turn.bind(politeness));
  return {
    ledger: {
      begin: waits(ledger.begin.bind(ledger)),
      end: waits(ledger.end.bind(ledger)),
      plan: waits(ledger.plan.bind(ledger)),
      job: waits(ledger.job.bind(ledger)),
      settle: waits(ledger.settle.bind(ledger)),
      isSettled: waits(ledger.isSettled.bind(ledger)),
      previous: waits(ledger.previous.bind(ledger)),
      unsettled: waits(ledger.unsettled.bind(ledger)),
      settled: waits(ledger.settled.bind(ledger)),
      sweeps: waits(ledger.sweeps.bind(ledger)),
      verdicts: waits(ledger.verdicts.bind(ledger)),
      latest: waits(ledger.latest.bind(ledger)),
      agent: waits(ledger.agent.bind(ledger)),
      report: waits(ledger.report.bind(ledger)),
      forgetEvidence: waits(ledger.forgetEvidence.bind(ledger)),
      close: () => ledger.close(),
    },
    politeness: {
      async turn(host, job, lease) {
        const had = await turn(host, job, lease);
        return "leave" in had ? { leave: waits(had.leave) } : had;
      },
      close: () => politeness.close(),
    },
  };
}
