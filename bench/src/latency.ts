import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { lengthOfAnswer } from "./load.ts";

/** Measures single requests in milliseconds, one after the other on one connection, with a pause between them. */
export async function latencies(url: string, request: Buffer, count: number, pauseMs: number): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const taken: number[] = [];
  for (let n = 0; n < count; n++) {
    const started = performance.now();
    socket.write(request);
    await answered(socket);
    taken.push(performance.now() - started);
    if (pauseMs) await wait(pauseMs);
  }
  socket.destroy();
  return taken;
}

/** Reads one response. Rejects if the connection breaks, or if the status is not 200. */
export function answered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    let pending: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer): void => {
      pending = Buffer.concat([pending, chunk]);
      const end = lengthOfAnswer(pending);
      if (end === 0 || pending.length < end) return;
      socket.off("data", read).off("error", reject);
      if (pending.subarray(9, 12).toString("latin1") === "200") resolve();
      else reject(new Error(`answered with ${pending.toString("latin1", 0, 300)}`));
    };
    socket.on("data", read);
  });
}

/** Returns the percentile of some values. */
export const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))]!;
