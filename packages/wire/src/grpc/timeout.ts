const units: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000001 };

/** `grpc-timeout` in milliseconds: up to eight digits and a unit; `undefined` when there is none, or it is broken. */
export function timeoutOf(value: string | undefined): number | undefined {
  const match = /^(\d{1,8})([HMSmun])$/.exec(value ?? "");
  return match ? Number(match[1]) * units[match[2]!]! : undefined;
}

export const writeTimeout = (ms: number): string =>
  ms < 100_000_000 ? `${Math.ceil(ms)}m` : `${Math.ceil(ms / 1000)}S`;
