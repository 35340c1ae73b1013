import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { answered } from "./latency.ts";

/**
 * Sends requests at a fixed rate, even if responses are slow. Returns the milliseconds since each request was due, so
 * that a pause of the server also counts for the requests that waited meanwhile.
 */
export async function pacedLatencies(
  url: string,
  request: Buffer,
  perSecond: number,
  count: number,
): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const idle: Socket[] = [];
  const started = performance.now();
  const one = async (due: number): Promise<number> => {
    const socket = idle.pop() ?? connect({ host: hostname, port: Number(port), noDelay: true });
    sockets.add(socket);
    socket.write(request);
    await answered(socket);
    idle.push(socket);
    return performance.now() - due;
  };
  const taken: Promise<number>[] = [];
  for (let number = 0; number < count; number++) {
    const due = started + (number * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    // A timer may fire up to a millisecond early.
    taken.push(one(Math.min(due, performance.now())));
  }
  try {
    return await Promise.all(taken);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
