/** So many at a time, in their order. */
export async function inPool<T>(jobs: readonly T[], size: number, work: (job: T) => Promise<void>): Promise<void> {
  const queue = jobs[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: Math.min(size, jobs.length) }, async () => {
      for (const job of queue) await work(job);
    }),
  );
}
