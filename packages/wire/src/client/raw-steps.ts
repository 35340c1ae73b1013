import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";

/** One step of a misbehaving client. */
export type RawStep =
  | { readonly is: "send"; readonly bytes: Uint8Array }
  /** One byte at a time. */
  | { readonly is: "drip"; readonly bytes: Uint8Array; readonly everyMs: number }
  | { readonly is: "pause"; readonly ms: number }
  /** Send nothing more, but keep reading. */
  | { readonly is: "half-close" }
  /** Reset the connection, like a crashed client. */
  | { readonly is: "reset" };

/** Runs the steps in order; `onSent` gets each piece as it is written. */
export async function takeSteps(
  steps: readonly RawStep[],
  socket: Socket,
  onSent: (bytes: Uint8Array) => void,
  signal: AbortSignal,
): Promise<void> {
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      onSent(bytes);
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });

  for (const step of steps) {
    switch (step.is) {
      case "send":
        await write(step.bytes);
        break;
      case "drip":
        for (const byte of step.bytes) {
          await write(Uint8Array.of(byte));
          await sleep(step.everyMs, undefined, { signal });
        }
        break;
      case "pause":
        await sleep(step.ms, undefined, { signal });
        break;
      case "half-close":
        socket.end();
        break;
      case "reset":
        // Node cannot reset a TLS socket, so the peer sees an early close instead.
        if (socket instanceof TLSSocket) socket.destroy();
        else socket.resetAndDestroy();
        break;
    }
  }
}

/** Returns all bytes that the steps send, unless they are stopped. */
export const bytesOf = (steps: readonly RawStep[]): Uint8Array =>
  Buffer.concat(steps.flatMap((step) => (step.is === "send" || step.is === "drip" ? [step.bytes] : [])));
