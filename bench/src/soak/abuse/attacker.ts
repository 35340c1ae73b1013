import { setMaxListeners } from "node:events";
import { constants, setPriority } from "node:os";
import { abuses } from "./abuses.ts";
import type { AttackTally } from "./hostile-sockets.ts";

// A process that abuses a server, until its input ends: `node attacker.js <port> <abuse>`. It is a process of its own, and one that stands
// back behind the others, so that what the good clients feel is what the server makes of the abuse, and not that the attacker took the machine.

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
