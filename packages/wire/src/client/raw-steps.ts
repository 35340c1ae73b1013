import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";

/** One move of a rude client. */
export type RawStep =
  | { readonly is: "send"; readonly bytes: Uint8Array }
  /** One byte at a time. */
  | { readonly is: "drip"; readonly bytes: Uint8Array; readonly everyMs: number }
  | { readonly is: "pause"; readonly ms: number }
  /** Nothing more will be sent; we still listen. */
  | { readonly is: "half-close" }
  /** Tear the connection down, as a crashed client would. */
  | { readonly is: "reset" };

/** Takes the steps one after the other; `onSent` hears each piece as it is written. */
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
        // Under TLS there is no handle that Node would reset, and the peer sees an early close instead.
        if (socket instanceof TLSSocket) socket.destroy();
        else socket.resetAndDestroy();
        break;
    }
  }
}

/** All the bytes the steps will have sent, if they are not stopped. */
export const bytesOf = (steps: readonly RawStep[]): Uint8Array =>
  Buffer.concat(steps.flatMap((step) => (step.is === "send" || step.is === "drip" ? [step.bytes] : [])));
