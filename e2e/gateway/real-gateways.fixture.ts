import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HeaderPairs } from "@assay/wire";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { toolsArePromised } from "../fixtures/promised-tools.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import type { Gateway } from "./planted-gateway.fixture.ts";

/** The places of one gateway that a test starts. */
interface Places {
  readonly folder: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly upstream: string;
}

/** A program that can be a gateway, from a package of Debian or PyPI. */
interface RealGateway {
  readonly program: string;
  readonly versionFlag: string;
  /** installed for `npm run prove -- gateways` only, because it takes minutes */
  readonly isSlow?: true;
  /** lines that make the gateway preserve more; none if the default configuration needs none */
  readonly settings: readonly string[];
  /** writes a configuration, with further lines at the place for settings of the route */
  configuration(places: Places, lines: string): string;
  args(file: string, places: Places): readonly string[];
  env?(places: Places, lines: string): Readonly<Record<string, string>>;
  /** has a route for gRPC on a port of its own */
  readonly passesGrpc?: true;
  /** the path of the agent at the gateway */
  readonly path?: string;
  /** headers of a caller that the gateway accepts */
  headers?(): HeaderPairs;
  /** registers the agent when the gateway listens */
  register?(base: string, places: Places, lines: string): Promise<void>;
}

const testKey = "sk-assay-Gateway-test-0123456789abcdef";
const admin = "admin@example.com";
const modules = "/usr/lib/apache2/modules";

export const realGateways = {
  nginx: {
    program: "nginx",
    versionFlag: "-v",
    settings: ["proxy_buffering off;", "proxy_read_timeout 3600s;", "client_max_body_size 20m;"],
    // Workers of another user could not write to the folder.
    passesGrpc: true,
    configuration: ({ folder, port, grpcPort, upstream }, lines) => `
      daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1; user root;
      events { worker_connections 512; }
      http {
        upstream pair { server ${upstream}; server ${upstream}; }
        access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass http://${upstream}; ${lines} }
        }
        server {
          listen 127.0.0.1:${grpcPort} http2;
          location / { grpc_pass grpc://${upstream}; }
        }
      }`,
    args: (file, { folder }) => ["-p", folder, "-c", file, "-e", join(folder, "error.log")],
  },
  HAProxy: {
    program: "haproxy",
    versionFlag: "-v",
    settings: ["timeout client 1h", "timeout server 1h"],
    // The timeouts are those of Debian's configuration.
    passesGrpc: true,
    configuration: ({ port, grpcPort, upstream }, lines) => `
defaults
  mode http
  timeout connect 5000
  timeout client 50000
  timeout server 50000
  ${lines}
listen agent
  bind 127.0.0.1:${port}
  server agent ${upstream}
listen grpc
  bind 127.0.0.1:${grpcPort} proto h2
  server agent ${upstream} proto h2
`,
    args: (file) => ["-db", "-f", file],
  },
  Caddy: {
    program: "caddy",
    versionFlag: "version",
    settings: [],
    passesGrpc: true,
    configuration: ({ port, grpcPort, upstream }, lines) => `
{
  admin off
  auto_https off
  servers :${grpcPort} {
    protocols h1 h2 h2c
  }
}
http://127.0.0.1:${grpcPort} {
  reverse_proxy h2c://${upstream}
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
    settings: [],
    // Apache does not run as root. The timeout is that of Debian's configuration.
    passesGrpc: true,
    configuration: ({ folder, port, grpcPort, upstream }, lines) => `
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
LoadModule http2_module ${modules}/mod_http2.so
LoadModule proxy_http2_module ${modules}/mod_proxy_http2.so
Listen 127.0.0.1:${port}
Listen 127.0.0.1:${grpcPort}
<VirtualHost 127.0.0.1:${port}>
  ProxyPass / http://${upstream}/
  ${lines}
</VirtualHost>
<VirtualHost 127.0.0.1:${grpcPort}>
  Protocols h2c http/1.1
  ProxyPass / h2c://${upstream}/
</VirtualHost>
`,
    args: (file) => ["-DFOREGROUND", "-f", file],
  },
  LiteLLM: {
    program: "e2e/gateway/litellm/.venv/bin/litellm",
    versionFlag: "--version",
    isSlow: true,
    settings: ["extra_headers: [A2A-Extensions, X-A2A-Extensions, traceparent]"],
    path: "/a2a/assay",
    headers: () => [["Authorization", `Bearer ${testKey}`]],
    configuration: ({ upstream }, lines) => `
model_list: []
general_settings:
  master_key: ${testKey}
agent_list:
  - agent_name: assay
    agent_card_params:
      protocolVersion: "1.0"
      name: assay
      description: The agent of Assay
      version: "1"
      url: http://${upstream}/
      supportedInterfaces: [{ url: "http://${upstream}/", protocolBinding: JSONRPC, protocolVersion: "1.0" }]
      capabilities: { streaming: true }
      defaultInputModes: [text/plain]
      defaultOutputModes: [text/plain]
      skills: []
    litellm_params: {}
    ${lines}
`,
    args: (file, { port }) => ["--config", file, "--host", "127.0.0.1", "--port", `${port}`, "--telemetry", "False"],
  },
  ContextForge: {
    program: "e2e/gateway/contextforge/.venv/bin/mcpgateway",
    versionFlag: "--version",
    isSlow: true,
    settings: [
      "ENABLE_HEADER_PASSTHROUGH=true",
      'passthrough_headers: ["A2A-Extensions", "X-A2A-Extensions", "traceparent"]',
    ],
    path: "/v1/a2a/assay/jsonrpc",
    headers: () => [["Authorization", `Bearer ${contextForgeToken()}`]],
    configuration: () => "",
    args: (_, { port }) => ["--host", "127.0.0.1", "--port", `${port}`],
    env: ({ folder }, lines) => ({
      DATABASE_URL: `sqlite:///${folder}/mcp.db`,
      CACHE_TYPE: "memory",
      JWT_SECRET_KEY: testKey,
      AUTH_ENCRYPTION_SECRET: `${testKey}-2`,
      PLATFORM_ADMIN_EMAIL: admin,
      PLATFORM_ADMIN_PASSWORD: testKey,
      DEFAULT_USER_PASSWORD: testKey,
      BASIC_AUTH_PASSWORD: testKey,
      SSRF_ALLOW_LOCALHOST: "true",
      LOG_LEVEL: "ERROR",
      ...(lines.includes("ENABLE_HEADER_PASSTHROUGH") && { ENABLE_HEADER_PASSTHROUGH: "true" }),
    }),
    async register(base, { upstream }, lines) {
      const agent = {
        name: "assay",
        endpoint_url: `http://${upstream}/`,
        agent_type: "jsonrpc",
        protocol_version: "1.0",
        ...(lines.includes("passthrough_headers") && {
          passthrough_headers: ["A2A-Extensions", "X-A2A-Extensions", "traceparent"],
        }),
      };
      const response = await fetch(`${base}/v1/a2a`, {
        method: "POST",
        headers: { Authorization: `Bearer ${contextForgeToken()}`, "Content-Type": "application/json" },
        body: JSON.stringify({ agent, visibility: "public" }),
      });
      if (!response.ok) throw new Error(`ContextForge answered ${response.status}: ${await response.text()}`);
    },
  },
} satisfies Readonly<Record<string, RealGateway>>;
export type GatewayName = keyof typeof realGateways;

/** Writes a token of an administrator, as `mcpgateway.utils.create_jwt_token` does. */
function contextForgeToken(): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ sub: admin, username: admin, iss: "mcpgateway", aud: "mcpgateway-api", env: "development" },
    ...{ jti: randomUUID(), iat: now, exp: now + 3_600, teams: null },
    user: { email: admin, full_name: "Assay", is_admin: true, auth_provider: "cli" },
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", testKey).update(signed).digest("base64url")}`;
}

/** Gateways that take minutes to install belong to the long form of the proof. */
const provesSlow = provesAll && process.env["ASSAY_PYTHON_GATEWAYS"] !== "no";

/** Where every tool is promised, a missing gateway is a failure. */
export const hasGateway = (name: GatewayName): boolean => {
  const { program, versionFlag, isSlow }: RealGateway = realGateways[name];
  if (isSlow && !provesSlow) return false;
  return toolsArePromised || spawnSync(program, [versionFlag], { stdio: "ignore" }).status === 0;
};

/** Starts a gateway in front of a port, with further lines in its configuration. */
export async function startGateway(name: GatewayName, upstreamPort: number, lines: string): Promise<Gateway> {
  const gateway: RealGateway = realGateways[name];
  const folder = mkdtempSync(join(tmpdir(), "assay-gateway-"));
  const port = await freePort(2);
  const places = { folder, port, grpcPort: port + 1, upstream: `127.0.0.1:${upstreamPort}` };
  const file = join(folder, "gateway.conf");
  writeFileSync(file, gateway.configuration(places, lines));
  const child = spawn(gateway.program, gateway.args(file, places), {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, ...gateway.env?.(places, lines) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints = `${complaints}${text}`.slice(-2_000)));
  await listening(places.port, child, () => complaints);
  const base = `http://127.0.0.1:${places.port}`;
  await gateway.register?.(base, places, lines);
  return {
    url: `${base}${gateway.path ?? ""}`,
    ...(gateway.passesGrpc && { grpc: `127.0.0.1:${places.grpcPort}` }),
    ...(gateway.headers && { headers: gateway.headers() }),
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
