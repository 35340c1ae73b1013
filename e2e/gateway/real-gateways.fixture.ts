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

/** The places of one gateway that a test starts. */
interface Places {
  readonly folder: string;
  readonly port: number;
  readonly upstream: string;
}

/** A program that can be a gateway, as Debian packages it. */
interface RealGateway {
  readonly program: string;
  readonly versionFlag: string;
  /** the broken properties of the default configuration, at depth full */
  readonly breaks: readonly string[];
  /** lines that make the gateway preserve everything */
  readonly settings: readonly string[];
  /** writes a configuration, with further lines at the place for settings of the route */
  configuration(places: Places, lines: string): string;
  args(file: string, places: Places): readonly string[];
}

const modules = "/usr/lib/apache2/modules";

export const realGateways = {
  nginx: {
    program: "nginx",
    versionFlag: "-v",
    breaks: ["GW-BODY-SIZE", "GW-STREAM-IDLE", "GW-STREAM-TIMING"],
    settings: [
      "proxy_buffering off;",
      "proxy_read_timeout 3600s;",
      "client_max_body_size 20m;",
      "proxy_intercept_errors off;",
      "proxy_ignore_client_abort off;",
      "proxy_next_upstream off;",
    ],
    // Workers of another user could not write to the folder.
    configuration: ({ folder, port, upstream }, lines) => `
      daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; user root;
      events { worker_connections 512; }
      http {
        access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass http://${upstream}; ${lines} }
        }
      }`,
    args: (file, { folder }) => ["-p", folder, "-c", file, "-e", join(folder, "error.log")],
  },
  HAProxy: {
    program: "haproxy",
    versionFlag: "-v",
    breaks: ["GW-STREAM-IDLE"],
    settings: ["timeout client 1h", "timeout server 1h", "retries 0"],
    // The timeouts are those of Debian's configuration.
    configuration: ({ port, upstream }, lines) => `
defaults
  mode http
  timeout connect 5000
  timeout client 50000
  timeout server 50000
  ${lines}
listen agent
  bind 127.0.0.1:${port}
  server agent ${upstream}
`,
    args: (file) => ["-db", "-f", file],
  },
  Caddy: {
    program: "caddy",
    versionFlag: "version",
    breaks: [],
    settings: ["flush_interval -1", "lb_try_duration 0s"],
    configuration: ({ port, upstream }, lines) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  reverse_proxy ${upstream} {
    ${lines}
  }
}
`,
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
  "Apache httpd": {
    program: "apache2",
    versionFlag: "-v",
    breaks: [],
    settings: ["ProxyTimeout 3600", "ProxyErrorOverride Off"],
    // Apache does not run as root. The timeout is that of Debian's configuration.
    configuration: ({ folder, port, upstream }, lines) => `
ServerRoot ${folder}
ServerName localhost
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
User www-data
Group www-data
Timeout 300
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule proxy_module ${modules}/mod_proxy.so
LoadModule proxy_http_module ${modules}/mod_proxy_http.so
Listen 127.0.0.1:${port}
ProxyPass / http://${upstream}/
${lines}
`,
    args: (file) => ["-DFOREGROUND", "-f", file],
  },
} satisfies Readonly<Record<string, RealGateway>>;
export type GatewayName = keyof typeof realGateways;

/** Where every tool is promised, a missing gateway is a failure. */
export const hasGateway = (name: GatewayName): boolean => {
  const { program, versionFlag } = realGateways[name];
  return toolsArePromised || spawnSync(program, [versionFlag], { stdio: "ignore" }).status === 0;
};

/** Starts a gateway in front of a port, with further lines in its configuration. */
export async function startGateway(name: GatewayName, upstreamPort: number, lines: string): Promise<Gateway> {
  const gateway: RealGateway = realGateways[name];
  const folder = mkdtempSync(join(tmpdir(), "assay-gateway-"));
  const places = { folder, port: await freePort(), upstream: `127.0.0.1:${upstreamPort}` };
  const file = join(folder, "gateway.conf");
  writeFileSync(file, gateway.configuration(places, lines));
  const child = spawn(gateway.program, gateway.args(file, places), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints = `${complaints}${text}`.slice(-2_000)));
  await listening(places.port, child, () => complaints);
  return {
    url: `http://127.0.0.1:${places.port}`,
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listening(port: number, child: ChildProcess, complaints: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The gateway ended with ${child.exitCode}: ${complaints()}`);
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
}
