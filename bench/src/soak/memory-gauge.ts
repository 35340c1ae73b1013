// Loaded into the process of the server (`--import`), so that it can be asked what it takes while it serves. What is in use of the heap is
// only known behind a collection: without one, it goes up and down by more than any leak of a few minutes.

process.on("message", () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ heapUsed, rss, cpuMicroseconds: user + system });
});
// A server that is asked to stop does not stay for the questions.
process.channel?.unref();
