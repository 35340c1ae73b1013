import { type ClientForecast, placeText } from "./forecast.ts";
import type { RunForecast } from "./run-forecast.ts";

/** Returns "Google ADK for Python 2.13.0: fails, it loses …". */
export function forecastLine({ client, verdict, because, on }: ClientForecast): string {
  const name = [client.name, client.version].filter(Boolean).join(" ");
  const place = on === undefined || verdict === "fails" ? "" : ` (${placeText(on)})`;
  return `${name}${place}: ${verdict}${because === "" ? "" : `; ${because}`}`;
}

/** Returns "works with 12 of 19 clients, 2 of them with limits; 3 unknown". */
export function forecastAnswer({ clients }: Pick<RunForecast, "clients">): string {
  const count = (verdict: string): number => clients.filter((each) => each.verdict === verdict).length;
  const [works, limits, unknown] = [count("works"), count("works with limits"), count("unknown")];
  return [
    `works with ${works + limits} of ${clients.length} clients`,
    ...(limits ? [`${limits} of them with limits`] : []),
    ...(unknown ? [`${unknown} unknown`] : []),
  ].join(", ");
}
