import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { startTestbed } from "@assay/agents";
import { readAssayYaml } from "@assay/library/config";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { AssayError } from "@assay/protocol/assay-error";
import type { DoctorFlags } from "../commands/doctor.ts";
import {
  certificates,
  type Diagnosis,
  type Machine,
  node,
  optional,
  ports,
  proxies,
  sqlite,
} from "../doctor/examination.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import { escapeText } from "../terminal/escape.ts";
import { browserCommand } from "../terminal/open-browser.ts";
import type { Screen } from "../terminal/screen.ts";

const thisMachine: Machine = {
  env: process.env,
  nodeVersion: process.versions.node,
  async find(name) {
    if (name.startsWith("node:")) return isBuiltin(name);
    try {
      createRequire(import.meta.url).resolve(name);
      // A native package may be built for another platform, which only loading it shows.
      if (name === "libsql") await import(name);
      return true;
    } catch {
      return false;
    }
  },
  listen: (port) =>
    new Promise((resolve, reject) => {
      const server = createServer().once("error", reject);
      server.listen(port, "127.0.0.1", () => server.close(() => resolve()));
    }),
  read: (file) => readFileSync(file, "utf8"),
};

/** Runs `assay doctor`: examines this machine, and shows what works and how to fix the rest. */
export async function examineMachine(
  flags: DoctorFlags,
  screen: Screen,
  machine: Machine = thisMachine,
  selfTest: () => Promise<Diagnosis> = testOurselves,
): Promise<ExitCode> {
  const checks = [
    node(machine),
    ...(await ports(machine)),
    await selfTest(),
    runFolder(),
    settingsFile(),
    await sqlite(machine),
    ...(await optional(machine)),
    ...proxies(machine),
    ...certificates(machine),
    browser(screen, machine),
  ];
  const isHealthy = checks.every(({ status }) => status !== "broken");
  if (flags.json) screen.json({ version, works: isHealthy, checks }, 2);
  else show(checks, screen);
  return isHealthy ? exitCodes.fine : exitCodes.agent;
}

/** Tests one rule on a built-in agent over all bindings: this needs the server, the client, the suite and loopback. */
async function testOurselves(): Promise<Diagnosis> {
  const name = "Self-test";
  const fix = "run the command again with ASSAY_DEBUG=1, and report its output";
  try {
    const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version });
    try {
      const { testAgent } = await import("@assay/library");
      const report = await testAgent(`${testbed.url}/spec`, { only: ["GET-002"], depth: "free" });
      const { examined, failed } = report.summary;
      return examined > 0 && failed === 0
        ? { name, status: "works", says: "Assay tested an agent of its own over JSON-RPC, HTTP+JSON and gRPC" }
        : { name, status: "broken", says: `Assay could not test its own agent: ${report.levelBecause}`, fix };
    } finally {
      await testbed.close(0);
    }
  } catch (error) {
    return { name, status: "broken", says: `Assay could not test its own agent: ${(error as Error).message}`, fix };
  }
}

/** Examines the folder without creating it. */
export function runFolder({ path } = new RunFolder()): Diagnosis {
  const name = "Recordings";
  const home = dirname(path);
  const there = [path, home, dirname(home)].find((each) => existsSync(each))!;
  const cannot = (because: string, fix: string): Diagnosis => ({
    name,
    status: "missing",
    says: `cannot be written to ${path}: ${because}`,
    fix,
  });
  if (!statSync(there).isDirectory())
    return cannot(`${there} is not a folder`, `move the file ${there} away, or use --no-record`);
  try {
    accessSync(there, constants.W_OK);
    return { name, status: "works", says: `go to ${path}` };
  } catch {
    return cannot("permission denied", "run Assay in a folder that you can write to, or use --no-record");
  }
}

function settingsFile(): Diagnosis {
  const name = "assay.yaml";
  try {
    const { file, agents } = readAssayYaml();
    if (file === undefined)
      return { name, status: "works", says: "none here: Assay uses its defaults (assay init <url> writes one)" };
    return { name, status: "works", says: agents ? `${file}, ${plural(agents.length, "agent")}` : file };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { name, status: "broken", says: error.message, fix: error.hint ?? "correct the file, or use --no-config" };
  }
}

function browser(screen: Screen, { env }: Machine): Diagnosis {
  const name = "Browser";
  return browserCommand(screen, env)
    ? { name, status: "works", says: "assay demo and assay ui open it" }
    : {
        name,
        status: "missing",
        says: "no display or no terminal, so assay demo and assay ui open nothing",
        fix: "open the printed address or file yourself",
      };
}

function show(checks: readonly Diagnosis[], { line, colors }: Screen): void {
  const signs = { works: colors.green("✓"), missing: colors.yellow("-"), broken: colors.red("✗") };
  const width = Math.max(...checks.map(({ name }) => name.length));
  line(`Assay ${version} on ${process.platform}-${process.arch}`);
  line();
  for (const { name, status, says, fix } of checks) {
    line(`${signs[status]} ${name.padEnd(width)}   ${escapeText(says)}`);
    if (fix !== undefined) line(`  ${" ".repeat(width)}   ${colors.dim("fix:")} ${escapeText(fix)}`);
  }
  const [broken, missing] = (["broken", "missing"] as const).map(
    (wanted) => checks.filter(({ status }) => status === wanted).length,
  );
  line();
  const rest = missing ? ` Not available: ${plural(missing, "optional part")}, marked with -.` : "";
  line(
    broken
      ? colors.red(`Assay does not work here: ${plural(broken, "problem")}.`) + rest
      : `${colors.green("Assay works here.")}${rest}`,
  );
}
