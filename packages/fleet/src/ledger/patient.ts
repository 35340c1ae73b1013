import type { Politeness } from "../politeness/politeness.ts";
import { isDatabaseAway, patiently } from "../queue/patience.ts";
import type { FleetLedger } from "./verdict.ts";

export interface PatientOptions {
  /** aborts the waiting; waiting calls then throw */
  readonly signal: AbortSignal;
  /** called once for each outage of the database */
  readonly away: (error: Error) => void;
  /** called when the database responds again */
  readonly back: () => void;
}

/**
 * A ledger and politeness that survive an outage of their database: calls wait until it is back. Calls may be repeated,
 * since the key of a verdict is unique.
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
    ledger: new Proxy(ledger, {
      get(_, name: keyof FleetLedger) {
        const ask = ledger[name].bind(ledger) as (...asked: unknown[]) => Promise<unknown>;
        return name === "close" ? ask : waits(ask);
      },
    }),
    politeness: {
      async turn(host, job, lease) {
        const had = await turn(host, job, lease);
        return "leave" in had ? { leave: waits(had.leave) } : had;
      },
      close: () => politeness.close(),
    },
  };
}
