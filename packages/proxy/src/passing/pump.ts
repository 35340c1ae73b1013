import type { Readable, Writable } from "node:stream";

/** Forwards every chunk as it arrives, no faster than the receiver accepts. The caller handles the end. */
export function pump(from: Readable, to: Writable, see: (chunk: Buffer) => void): void {
  from.on("data", (chunk: Buffer) => {
    see(chunk);
    if (to.destroyed || to.writableEnded) return;
    if (!to.write(chunk)) from.pause();
  });
  to.on("drain", () => from.resume());
}
