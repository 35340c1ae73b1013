const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads "90s", "15m", "24h", "7d" or "2w" as milliseconds; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?)\s*([smhdw])$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (units[unit ?? ""] ?? Number.NaN);
  return ms > 0 ? ms : undefined;
}
