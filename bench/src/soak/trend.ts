/** One measurement of a process. */
export interface MemorySample {
  /** minutes since the load began */
  readonly minutes: number;
  readonly megabytes: number;
}

export interface Trend {
  /** slope of the least-squares line */
  readonly megabytesPerMinute: number;
  /** standard error of the slope */
  readonly uncertainty: number;
  readonly samples: number;
}

/** Computes the slope of a series by least squares. */
export function trendOf(samples: readonly MemorySample[]): Trend {
  const count = samples.length;
  if (count < 3) return { megabytesPerMinute: 0, uncertainty: Number.POSITIVE_INFINITY, samples: count };
  const mean = (of: (sample: MemorySample) => number): number =>
    samples.reduce((sum, each) => sum + of(each), 0) / count;
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ megabytes }) => megabytes)];
  const spread = samples.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
  const slope = samples.reduce((sum, { minutes, megabytes }) => sum + (minutes - x) * (megabytes - y), 0) / spread;
  const residual = samples.reduce(
    (sum, { minutes, megabytes }) => sum + (megabytes - y - slope * (minutes - x)) ** 2,
    0,
  );
  return { megabytesPerMinute: slope, uncertainty: Math.sqrt(residual / (count - 2) / spread), samples: count };
}

/** Returns true if the slope exceeds the bound by more than two standard errors. */
export const grows = ({ megabytesPerMinute, uncertainty }: Trend, bound: number): boolean =>
  megabytesPerMinute - 2 * uncertainty > bound;
