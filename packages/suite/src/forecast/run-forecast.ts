import type { ConformanceReport } from "../report/document.ts";
import type { RunEvent } from "../report/events.ts";
import { type ClientForecast, forecastVerdicts, type RunForecast } from "../report/forecast-document.ts";
import { adviceOf } from "./advice.ts";
import { forecastOf } from "./forecast.ts";
import type { ClientProfile } from "./profile.ts";
import { traitsOf } from "./traits.ts";

/** Forecasts from the events of a test run of an agent; nothing if the run found no card, or tested something else. */
export function runForecast(
  { events, report }: { readonly events: readonly RunEvent[]; readonly report: ConformanceReport },
  profiles: readonly ClientProfile[],
): RunForecast | undefined {
  const traits = report.subject === "agent" ? traitsOf(events, report) : undefined;
  if (!traits) return undefined;
  const rankOf = ({ verdict }: ClientForecast): number => forecastVerdicts.indexOf(verdict);
  const clients = forecastOf(traits, profiles).toSorted((a, b) => rankOf(a) - rankOf(b));
  return { clients, advice: adviceOf(traits, profiles) };
}
