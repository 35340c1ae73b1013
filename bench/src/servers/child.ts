/** What every server of the comparison does for the benchmark that started it: says where it is, and what it takes. */
export function serveParent(url: string): void {
  process.on("message", (question: keyof typeof answers) => process.send?.({ answer: answers[question]() }));
  process.on("disconnect", () => process.exit(0));
  if (process.send) process.send({ url });
  else process.stdout.write(`${JSON.stringify({ url })}\n`);
}

const answers = {
  /** bytes that are in use */
  heap(): number {
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().heapUsed;
  },
  /** milliseconds of processor */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
