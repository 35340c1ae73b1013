import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";
import type { Gateway } from "./planted-gateway.fixture.ts";

/** Where every tool is promised, a missing nginx is a failure. */
export const hasNginx = toolsArePromised || spawnSync("nginx", ["-v"], { stdio: "ignore" }).status === 0;

/** Starts nginx as a reverse proxy in front of a port, with further lines in the location. */
export async function startNginx(upstreamPort: number, lines: string): Promise<Gateway> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "assay-nginx-"));
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
     user root;
     events { worker_connections 512; }
     http {
       access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server {
         listen 127.0.0.1:${port};
         location / { proxy_pass http://127.0.0.1:${upstreamPort}; ${lines} }
       }
     }`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")]);
  await listening(port, child);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill("SIGQUIT");
      await once(child, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    const socket = connect(port, "127.0.0.1");
    const [isOpen] = await Promise.race([
      once(socket, "connect").then(() => [true]),
      once(socket, "error").then(() => [false]),
      once(socket, "close").then(() => [false]),
    ]).catch(() => [false]);
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
}
