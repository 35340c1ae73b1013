/** What every server of the comparison does for the benchmark that started it: says where it is, and how big. */
export function serveParent(url: string): void {
  process.on("message", (question) => {
    if (question !== "heap") return;
    (globalThis as { gc?: () => void }).gc?.();
    process.send?.({ heap: process.memoryUsage().heapUsed });
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.({ url });
}
