// Preloaded into a command: SIGUSR2 blocks its main thread for good, as a deadlock in Node does. The launcher goes on.
import { writeSync } from "node:fs";

process.on("SIGUSR2", () => {
  if (!process.channel) return;
  writeSync(2, "blocked\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
