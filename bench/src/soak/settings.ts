import { parseArgs } from "node:util";
import type { Load } from "./soak-store.ts";

export const storeNames = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof storeNames)[number];

export interface SoakSettings {
  readonly load: Load;
  readonly stores: readonly StoreName[];
  /** duration of each abuse in seconds; 0 skips abuses */
  readonly abuseSeconds: number;
  readonly report: string;
}

/** Defaults, used if neither the flag nor its environment variable is set. */
const defaults = {
  minutes: ["10", "SOAK_MINUTES"],
  streams: ["500", "SOAK_STREAMS"],
  subscribers: ["200", "SOAK_SUBSCRIBERS"],
  rate: ["20", "SOAK_RATE"],
  stores: [storeNames.join(","), "SOAK_STORES"],
  abuse: ["20", "SOAK_ABUSE_SECONDS"],
  report: [".assay/soak.json", "SOAK_REPORT"],
} as const;

export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): SoakSettings {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: "string" as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const given = (name: keyof typeof defaults): string => {
    const [otherwise, variable] = defaults[name];
    return (values[name] as string | undefined) ?? env[variable] ?? otherwise;
  };
  const number = (name: "minutes" | "streams" | "subscribers" | "rate" | "abuse"): number => {
    const value = Number(given(name));
    if (Number.isFinite(value) && value >= 0 && (value > 0 || name === "abuse")) return value;
    throw new Error(`--${name} ${given(name)}: a number above zero is wanted.`);
  };
  const stores = given("stores").split(",").filter(Boolean);
  const unknown = stores.find((store) => !(storeNames as readonly string[]).includes(store));
  if (unknown !== undefined) throw new Error(`--stores ${unknown}: there are ${storeNames.join(", ")}.`);
  const minutes = number("minutes");
  return {
    load: {
      minutes,
      streams: number("streams"),
      subscribers: number("subscribers"),
      perSecond: number("rate"),
      // Streams last twenty seconds, or less in a short run, because a stream is judged only at its end.
      pace: { chunks: 20, pauseMs: Math.min(1_000, minutes * 1_000) },
    },
    stores: stores as StoreName[],
    abuseSeconds: number("abuse"),
    report: given("report"),
  };
}
