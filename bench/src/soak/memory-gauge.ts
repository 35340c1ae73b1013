// Loaded into the server's process (`--import`) to report its memory while it serves. The heap is measured after a
// garbage collection. Otherwise it varies by more than a leak of a few minutes would add.

process.on("message", () => {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  process.send?.({ heapUsed, rss, cpuMicroseconds: user + system });
});
// Don't keep a stopping server alive for questions about its memory.
process.channel?.unref();
