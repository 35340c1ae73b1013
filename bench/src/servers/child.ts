/** Connects a server to the benchmark that started it: sends its URL and answers questions about its resources. */
export function serveParent(url: string): void {
  process.on("message", (question: keyof typeof answers) => process.send?.({ answer: answers[question]() }));
  process.on("disconnect", () => process.exit(0));
  if (process.send) process.send({ url });
  else process.stdout.write(`${JSON.stringify({ url })}\n`);
}

const answers = {
  /** heap in use, in bytes */
  heap(): number {
    (globalThis as { gc?: () => void }).gc?.();
    return process.memoryUsage().heapUsed;
  },
  /** processor time in milliseconds */
  cpu(): number {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};
