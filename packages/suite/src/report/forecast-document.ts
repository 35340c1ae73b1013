export const forecastVerdicts = ["works", "works with limits", "fails", "unknown"] as const;
export type ForecastVerdict = (typeof forecastVerdicts)[number];

/** The forecast for one version of a client. */
export interface ClientForecast {
  readonly client: { readonly name: string; readonly version: string };
  /** the day on which the client was measured */
  readonly measured: string;
  readonly verdict: ForecastVerdict;
  /** the interface that the client is expected to use, as in "1.0 JSONRPC" */
  readonly on?: string;
  /** the reason or a remark; empty if there is none */
  readonly because: string;
}

/** A change to the agent, and the number of clients that it would gain. */
export interface ForecastAdvice {
  readonly change: string;
  readonly gains: number;
}

/** The clients that work with an agent, and what it could change to reach more. */
export interface RunForecast {
  readonly clients: readonly ClientForecast[];
  readonly advice: readonly ForecastAdvice[];
}

/** Returns "works with 12 of 19 clients, 2 of them with limits, 3 unknown". */
export function forecastAnswer({ clients }: Pick<RunForecast, "clients">): string {
  const count = (verdict: ForecastVerdict): number => clients.filter((each) => each.verdict === verdict).length;
  const [works, limits, unknown] = [count("works"), count("works with limits"), count("unknown")];
  return [
    `works with ${works + limits} of ${clients.length} clients`,
    ...(limits ? [`${limits} of them with limits`] : []),
    ...(unknown ? [`${unknown} unknown`] : []),
  ].join(", ");
}
