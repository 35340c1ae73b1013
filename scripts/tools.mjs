// Tools that npm does not install. Each is set up once; in CI on Linux a missing one ends the process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { actionlintReady } from "./actionlint.mjs";
import { browserReady } from "./browser.mjs";
import { bubblewrapReady } from "./bubblewrap.mjs";
import { gatewaysReady, nginxReady, pythonGatewaysReady } from "./gateways.mjs";
import { javaReady } from "./java.mjs";
import { postgresReady } from "./postgres.mjs";
import { pythonsReady } from "./python.mjs";
import { redisReady } from "./redis.mjs";
import { shellsReady } from "./shells.mjs";
import { root } from "./steps.mjs";

const setUps = {
  actionlint: actionlintReady,
  browser: browserReady,
  bubblewrap: bubblewrapReady,
  gateways: gatewaysReady,
  java: javaReady,
  nginx: nginxReady,
  postgres: postgresReady,
  python: () => pythonsReady(),
  pythonGateways: pythonGatewaysReady,
  redis: redisReady,
  shells: shellsReady,
};

/** Sets up these tools at the same time. */
export const toolsReady = (names) => Promise.all([...new Set(names)].map((name) => setUps[name]()));

/**
 * Starts those of the named servers that this machine has, and ends them when `use` is done. `use` gets their addresses
 * as environment variables: BENCH_POSTGRES, BENCH_REDIS.
 */
export async function withServers(names, use) {
  const env = {};
  const servers = [];
  try {
    for (const name of names) {
      if (!(await setUps[name]())) continue;
      // Published times include the wait for the disk.
      const server = spawn(process.execPath, [join(root, `scripts/${name}.mjs`), "--fsync"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      servers.push(server);
      [env[`BENCH_${name.toUpperCase()}`]] = await once(createInterface(server.stdout), "line");
    }
    return await use(env);
  } finally {
    for (const server of servers) server.stdin.end();
  }
}
