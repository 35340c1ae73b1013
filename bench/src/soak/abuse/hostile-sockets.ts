import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** What came of an attack, as the attacker sees it. */
export interface AttackTally {
  /** connections that were opened */
  connections: number;
  /** requests, bodies, resets: whatever the attack consists of */
  attempts: number;
  /** the statuses of answers of HTTP/1.1, and how often */
  readonly statuses: Record<string, number>;
}

/** Where an attack goes, and when it is over. */
export interface Attack {
  readonly port: number;
  readonly tally: AttackTally;
  readonly over: AbortSignal;
}

/** Attackers have an address of their own where the system gives out several: what a server holds is counted by address. */
const localAddress = process.platform === "linux" ? { localAddress: "127.0.0.2" } : {};

/** A connection for which every trouble is the end. */
function dial({ port, tally, over }: Attack): Socket {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true, ...localAddress });
  const leave = (): void => void socket.destroy();
  over.addEventListener("abort", leave);
  tally.connections++;
  return socket.on("error", () => {}).once("close", () => over.removeEventListener("abort", leave));
}

/** Keeps so many connections open, each replaced when it is closed, until the attack is over. */
export async function keepOpen(
  attack: Attack,
  count: number,
  begin: (socket: Socket) => void,
  apartMs = 1,
): Promise<void> {
  const lane = async (index: number): Promise<void> => {
    // Not all in one moment: a server takes so many new connections at a time, however they behave.
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

/** Says the same again and again on a connection of HTTP/1.1, each time when the one before is answered; counts the statuses. */
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

/** A request with a body of JSON. */
export const posting = (path: string, body: string): Buffer =>
  Buffer.from(
    head(`POST ${path} HTTP/1.1`, "Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`) +
      body,
  );
