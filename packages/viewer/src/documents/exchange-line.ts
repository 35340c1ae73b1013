import type { ExchangeRecorded } from "@assay/suite/report";
import type { ExchangeLine } from "./runs.ts";

/** Returns an exchange as one line, without headers and bodies. */
export const exchangeLine = ({
  id,
  operation,
  interface: on,
  during,
  working,
  entry,
}: ExchangeRecorded): ExchangeLine => ({
  id,
  ...(operation !== undefined && { operation }),
  ...(on && { interface: on }),
  ...(during !== undefined && { during }),
  ...(working && { working }),
  method: entry.request.method,
  url: entry.request.url,
  status: entry.response.status,
  startedAt: entry.startedDateTime,
  ms: entry.time,
  ...(entry._faults && { faults: entry._faults }),
  ...(entry.response._arrivals && { events: entry.response._arrivals.length }),
});
