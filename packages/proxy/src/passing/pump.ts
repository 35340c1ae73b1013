import type { Readable, Writable } from "node:stream";

/** Hands on every chunk as it comes, and reads no faster than the other side takes. The end is for the caller. */
export function pump(from: Readable, to: Writable, see: (chunk: Buffer) => void): void {
  from.on("data", (chunk: Buffer) => {
    see(chunk);
    if (to.destroyed || to.writableEnded) return;
    if (!to.write(chunk)) from.pause();
  });
  to.on("drain", () => from.resume());
}
