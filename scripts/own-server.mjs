// Shared by the servers that tests start (PostgreSQL, Redis): an unprivileged user, a free port, a temporary folder,
// and an end when stdin closes. The line `stop` on stdin ends the server like a crash, `start` starts it again on the
// same port and data, and `restart` does both. Each command gets a line in response when it is done.
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The user of the server's programs if this process is root. */
const unprivileged = { uid: 65_534, gid: 65_534 };

/** Creates a folder for the server's data, and returns it with the user of its programs. */
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
