const units: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000001 };
const mostDigits = 99_999_999;

/** Reads `grpc-timeout` in milliseconds: up to eight digits and a unit. Returns undefined if missing or invalid. */
export function timeoutOf(value: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(value ?? "");
  return match ? Number(match[1]) * units[match[2]!]! : undefined;
}

/** Writes a timeout in the finest unit from milliseconds up that fits eight digits, rounded up. */
export function writeTimeout(ms: number): string {
  for (const unit of ["m", "S", "M"]) {
    const amount = Math.ceil(ms / units[unit]!);
    if (amount <= mostDigits) return `${Math.max(1, amount)}${unit}`;
  }
  return `${Math.min(mostDigits, Math.ceil(ms / units["H"]!))}H`;
}
