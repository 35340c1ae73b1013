import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The results of an attack, as the attacker sees them. */
export interface AttackTally {
  /** number of opened connections */
  connections: number;
  /** number of requests, bodies or resets, depending on the attack */
  attempts: number;
  /** number of HTTP/1.1 responses by status */
  readonly statuses: Record<string, number>;
}

/** The target of an attack, and its end. */
export interface Attack {
  readonly port: number;
  readonly tally: AttackTally;
  readonly over: AbortSignal;
}

/** Gives attackers their own address where the system has several, because the server counts its limits by address. */
const localAddress = process.platform === "linux" ? { localAddress: "127.0.0.2" } : {};

/** Opens a connection that ends at the first error. */
function dial({ port, tally, over }: Attack): Socket {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true, ...localAddress });
  const leave = (): void => void socket.destroy();
  over.addEventListener("abort", leave);
  tally.connections++;
  return socket.on("error", () => {}).once("close", () => over.removeEventListener("abort", leave));
}

/** Keeps this many connections open and replaces each closed one, until the attack ends. */
export async function keepOpen(
  attack: Attack,
  count: number,
  begin: (socket: Socket) => void,
  apartMs = 1,
): Promise<void> {
  const lane = async (index: number): Promise<void> => {
    // Spread the connections out: a server accepts a limited number at a time, however clients behave.
    await pause(index * apartMs, undefined, { signal: attack.over }).catch(() => {});
    while (!attack.over.aborted) {
      const socket = dial(attack);
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.once("connect", () => begin(socket));
      await closed;
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, index) => lane(index)));
}

/** Repeats a request on an HTTP/1.1 connection, each time after the previous response, and counts the statuses. */
export function repeat(socket: Socket, { tally }: Attack, request: Buffer): void {
  const send = (): void => {
    tally.attempts++;
    socket.write(request);
  };
  socket.on("data", (chunk) => {
    for (const [, status] of chunk.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      tally.statuses[status!] = (tally.statuses[status!] ?? 0) + 1;
      if (!socket.destroyed && socket.writable) send();
    }
  });
  send();
}

export const head = (...lines: readonly string[]): string =>
  [...lines, "Host: localhost", "A2A-Version: 1.0", "", ""].join("\r\n");

/** Builds a POST request with a JSON body. */
export const posting = (path: string, body: string): Buffer =>
  Buffer.from(
    head(`POST ${path} HTTP/1.1`, "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`) +
      body,
  );
