/** One thing that Assay needs or can use on this machine. */
export interface Diagnosis {
  readonly name: string;
  /** `missing` limits some commands, `broken` all of them */
  readonly status: "works" | "missing" | "broken";
  readonly says: string;
  /** a command or a setting that helps */
  readonly fix?: string;
}

/** The facts about this machine that the diagnoses depend on. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nodeVersion: string;
  /** Returns true if a module that is not part of Assay can be loaded. */
  readonly find: (name: string) => Promise<boolean>;
  /** Listens on a port of 127.0.0.1 for a moment. */
  readonly listen: (port: number) => Promise<void>;
  /** Reads a file, or throws. */
  readonly read: (file: string) => string;
}

export const node = ({ nodeVersion }: Machine): Diagnosis => {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const name = "Node";
  if (major > 20 || (major === 20 && minor >= 19)) return { name, status: "works", says: nodeVersion };
  return {
    name,
    status: "broken",
    says: `${nodeVersion} is too old: Assay needs 20.19 or newer`,
    fix: "nvm install 22, or download Node from https://nodejs.org",
  };
};

interface Part {
  readonly name: string;
  readonly packages: readonly string[];
  readonly serves: string;
}

const optionalParts: readonly Part[] = [
  { name: "PostgreSQL", packages: ["pg"], serves: "--store, --history and --queue with postgres://" },
  { name: "Redis", packages: ["bullmq", "ioredis"], serves: "--queue redis://" },
  { name: "OAuth", packages: ["oidc-provider"], serves: "the OAuth server of assay serve" },
  {
    name: "OpenTelemetry",
    packages: [
      "@opentelemetry/api",
      "@opentelemetry/core",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace-node",
    ],
    serves: "the traces of assay serve",
  },
];

/** Packages that npm does not install with Assay. */
export const optional = (machine: Machine): Promise<Diagnosis[]> =>
  Promise.all(
    optionalParts.map(async ({ name, packages, serves }): Promise<Diagnosis> => {
      const missing = await missingOf(packages, machine);
      return missing.length
        ? {
            name,
            status: "missing",
            says: `not installed, needed for ${serves}`,
            fix: `npm install ${missing.join(" ")}`,
          }
        : { name, status: "works", says: `installed, for ${serves}` };
    }),
  );

/** Examines SQLite, which Node has since 22.13. Older versions need a package. */
export async function sqlite(machine: Machine): Promise<Diagnosis> {
  const name = "SQLite";
  const serves = "assay fleet, the history of runs and --store sqlite:<file>";
  const missing = await Promise.all([missingOf(["node:sqlite"], machine), missingOf(["libsql"], machine)]);
  if (missing.some((each) => each.length === 0))
    return { name, status: "works", says: `${missing[0]!.length ? "package libsql" : "part of Node"}, for ${serves}` };
  return {
    name,
    status: "missing",
    says: `not installed, needed for ${serves}`,
    fix: "npm install libsql, or use Node 22.13 or newer",
  };
}

async function missingOf(packages: readonly string[], { find }: Machine): Promise<string[]> {
  const found = await Promise.all(packages.map(find));
  return packages.filter((_name, index) => !found[index]);
}

/** The default ports of the commands that listen. */
const usualPorts = [
  ["assay serve", 4040],
  ["assay proxy", 4050],
  ["assay ui", 4070],
] as const;

/** Examines the default ports. Every command that tests opens ports, so without any port nothing works. */
export async function ports({ listen }: Machine): Promise<Diagnosis[]> {
  const taken = await Promise.all(
    usualPorts.map(async ([command, port]): Promise<Diagnosis> => {
      const name = `Port ${port}`;
      const because = await troubleOf(listen(port));
      return because === undefined
        ? { name, status: "works", says: `free, for ${command}` }
        : { name, status: "missing", says: `${because}, needed for ${command}`, fix: `${command} … --port 0` };
    }),
  );
  const because = await troubleOf(listen(0));
  const loopback: Diagnosis =
    because === undefined
      ? { name: "Loopback", status: "works", says: "Assay can listen on 127.0.0.1" }
      : {
          name: "Loopback",
          status: "broken",
          says: `Assay cannot listen on 127.0.0.1: ${because}`,
          fix: "allow this process to open ports on 127.0.0.1 (sandbox, container or security policy)",
        };
  return [loopback, ...taken];
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "in use",
  EACCES: "permission denied",
  EPERM: "permission denied",
};

const troubleOf = (listening: Promise<void>): Promise<string | undefined> =>
  listening.then(
    () => undefined,
    ({ code = "", message }: NodeJS.ErrnoException) => reasons[code] ?? message,
  );

/** Examines proxies, which Assay reads from the environment. It contacts agents on this machine without them. */
export function proxies({ env }: Machine): Diagnosis[] {
  const set = ["HTTP_PROXY", "HTTPS_PROXY"].flatMap((name) => {
    const value = env[name] || env[name.toLowerCase()];
    return value ? [{ name, value }] : [];
  });
  if (!set.length)
    return [{ name: "Proxy", status: "works", says: "none set: Assay connects directly (HTTP_PROXY, HTTPS_PROXY)" }];
  return set.map(({ name, value }): Diagnosis => {
    const address = value.includes("://") ? value : `http://${value}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const fix = `export ${name}=http://proxy.example:3128`;
    // The value is not shown: it may contain a password.
    if (!url) return { name, status: "broken", says: "is not a valid address", fix };
    if (url.protocol !== "http:" && url.protocol !== "https:")
      return { name, status: "broken", says: `${url.protocol}//${url.host} is not an HTTP proxy`, fix };
    const login = url.username ? " with a login" : "";
    return { name, status: "works", says: `${url.protocol}//${url.host}${login}, for agents on other machines` };
  });
}

/** Examines certificates, which come from Node and the file that NODE_EXTRA_CA_CERTS names. */
export function certificates({ env, read }: Machine): Diagnosis[] {
  const [name, more] = ["Certificates", "NODE_EXTRA_CA_CERTS"];
  if (env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    return [
      { name, status: "works", says: "checked, whatever NODE_TLS_REJECT_UNAUTHORIZED says (only --insecure skips it)" },
    ];
  const file = env["NODE_EXTRA_CA_CERTS"];
  if (!file) return [{ name, status: "works", says: "those of Node; add your own with --ca <file>" }];
  const fix = `export ${more}=<PEM file>, or unset ${more} and use --ca <file>`;
  try {
    if (read(file).includes("-----BEGIN CERTIFICATE-----"))
      return [{ name, status: "works", says: `those of Node and ${more}` }];
    return [{ name, status: "missing", says: `${more}: ${file} contains no certificate in PEM format`, fix }];
  } catch {
    return [{ name, status: "missing", says: `${more}: cannot read ${file}`, fix }];
  }
}
