// What the servers that tests bring with them (PostgreSQL, Redis) have in common: an unprivileged user, a free port of this machine, a
// temporary folder, and a life that ends with our input. The line `stop` on the input ends the server as a crash would, `start` starts it
// again on the same port and data, and `restart` does both; each is answered with a line when it is done.
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What its programs run as where we are root. */
const unprivileged = { uid: 65_534, gid: 65_534 };

/** A folder for its data, and the user that its programs run as. */
export function ownFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `assay-${name}-`));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, unprivileged.uid, unprivileged.gid);
  return { folder, as: { cwd: folder, ...(isRoot && unprivileged) } };
}

export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Starts the server, prints its address when it is ready, and keeps it until the input ends. */
export async function keep({ folder, address, start, crash, end }) {
  let server = await start();
  process.stdout.write(`${address}\n`);
  for await (const line of createInterface(process.stdin)) {
    if (line === "stop" || line === "restart") await ended(server, crash);
    if (line === "start" || line === "restart") server = await start();
    process.stdout.write("done\n");
  }
  await ended(server, end);
  rmSync(folder, { recursive: true, force: true });
}

async function ended(server, signal) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, "close");
  server.kill(signal);
  await closed;
}
