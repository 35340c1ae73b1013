import { readFileSync } from "node:fs";
import {
  type LoggedRequest,
  type ProfileOptions,
  startTestbed,
  type Testbed,
  UnknownAgent,
  UnknownMutant,
} from "@assay/agents";
import type { ServeFlags } from "../commands/serve.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { brief } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { version } from "../version.ts";

const MiB = 1024 * 1024;

/** The whole command: serve the test bed until somebody stops it. */
export async function serve(flags: ServeFlags, screen: Screen): Promise<ExitCode> {
  const testbed = await startTestbed({
    host: flags.host,
    port: flags.port,
    version,
    timeScale: flags.timeScale,
    allowPrivate: flags.allowPrivateWebhooks ?? false,
    origins: flags.cors ?? [],
    budgets: { total: flags.maxMemory * MiB, caller: flags.maxCallerMemory * MiB },
    waitMs: flags.maxWait * 60_000,
    ...(flags.allowHost ? { allowedHosts: flags.allowHost } : {}),
    ...(flags.publicUrl ? { publicUrl: checkedUrl(flags.publicUrl) } : {}),
    ...tlsFrom(flags),
    ...(flags.grpcPort === undefined ? {} : { grpcPort: flags.grpcPort }),
    ...(flags.profile ? { profile: profileFrom(flags.profile) } : {}),
    ...(flags.mutant === undefined ? {} : { mutant: flags.mutant }),
    ...(flags.root === undefined ? {} : { root: flags.root.replace(/^\//, "") }),
    ...(flags.log && { onServed: (request) => tell(request, screen) }),
    onError: (error) => screen.complain(`assay serve: ${error instanceof Error ? error.message : String(error)}`),
  }).catch((error: Error) => {
    if (error instanceof UnknownMutant)
      throw new UsageError(error.message, "GET /mutants of a running test bed lists them.");
    if (error instanceof UnknownAgent)
      throw new UsageError(error.message, "--root takes the path of an agent, such as spec03.");
    if (error instanceof UsageError) throw error;
    throw new UsageError(error.message, "Take another port (--port 0 finds a free one), or end what uses this one.");
  });
  if (flags.json || !screen.isTerminal) screen.json(readyLine(testbed));
  else await greet(testbed, screen);
  return untilStopped(testbed, screen);
}

/** To the error stream: the output may belong to a program that waits for the line of readiness. */
function tell({ method, path, status, ms, from }: LoggedRequest, screen: Screen): void {
  const time = new Date().toISOString().slice(11, 23);
  screen.complain(`${time}  ${method.padEnd(6)} ${brief(path, 90)}  ${status}  ${Math.round(ms)} ms  ${from}`);
}

const readyLine = ({ url, port, agents }: Testbed) => ({
  ready: true,
  url,
  port,
  pid: process.pid,
  agents: agents.map(({ path }) => `${url}/${path}`),
});

async function greet({ url, agents, families }: Testbed, { line, colors }: Screen): Promise<void> {
  line(`Assay test bed on ${colors.bold(url)}    (gRPC on the same port; stop with Ctrl-C)`);
  line();
  for (const { path, dialects = ["1.0"], description } of agents) {
    line(`  ${colors.bold(`/${path}`.padEnd(10))} ${dialects.join(", ").padEnd(9)} ${brief(description, 88)}`);
  }
  const { mutants, variants } = await families();
  const places = [
    `${colors.bold("/mutants")}   ${mutants.length} agents, each wrong in one way`,
    `${colors.bold("/variants")}  ${variants.length} agents, odd but legal`,
  ];
  line(`  ${places.join("      ")}`);
  line(
    `  ${colors.bold("/gallery")}   first contacts as the wild has them: no card, a login, a website, another version`,
  );
  line();
  line(`Try     assay send ${url}/spec "streaming hello" --stream`);
  line(`Look    assay card ${url}/full`);
  line(`Test    assay test ${url}/spec`);
}

/** The second and third runs of ACTS are asked for by its own variables. */
const profileFrom = (profile: ProfileOptions["profile"]): ProfileOptions => ({
  profile,
  actsAuth: process.env["ITK_ACTS_AUTH"] === "1",
  actsReduced: process.env["ITK_ACTS_REDUCED_CAPABILITIES"] === "1",
});

function checkedUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new UsageError(`--public-url ${text} is no http or https URL`);
}

function tlsFrom({ cert, key }: ServeFlags): { tls?: { cert: string; key: string } } {
  if (!cert && !key) return {};
  if (!cert || !key) throw new UsageError("--cert and --key go together");
  try {
    return { tls: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") } };
  } catch (error) {
    throw new UsageError(`The certificate cannot be read: ${(error as Error).message}`);
  }
}

/** Serves until a signal comes. A second one does not wait for anybody. */
function untilStopped(testbed: Testbed, screen: Screen): Promise<0 | 130> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals) => {
      if (asked) process.exit(exitCodes.interrupted);
      asked = true;
      if (screen.isTerminal) {
        screen.line();
        screen.line("Stopping; Ctrl-C again to stop at once.");
      }
      // Being stopped is how a server ends, so it is no failure.
      void testbed
        .close(5_000)
        .then(() => resolve(signal === "SIGINT" && screen.isTerminal ? exitCodes.interrupted : exitCodes.fine));
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}
