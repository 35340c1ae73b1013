import { setMaxListeners } from "node:events";
import { constants, setPriority } from "node:os";
import { abuses } from "./abuses.ts";
import type { AttackTally } from "./hostile-sockets.ts";

// Abuses a server until stdin ends: `node attacker.js <port> <abuse>`. It is a separate process with a low priority. So
// the good clients feel the server's reaction to the abuse, and not the attacker's use of the machine.

const [port, name] = [Number(process.argv[2]), process.argv[3] ?? ""];
setPriority(constants.priority.PRIORITY_LOW);
const over = new AbortController();
setMaxListeners(0, over.signal);
const tally: AttackTally = { connections: 0, attempts: 0, statuses: {} };
process.stdin.resume().once("end", () => {
  over.abort();
  process.stdout.write(`${JSON.stringify(tally)}\n`, () => process.exit(0));
});
await abuses[name]!({ port, tally, over: over.signal });
