import { readFileSync } from "node:fs";
import type { AgentDefinition, ProfileOptions, Testbed } from "@assay/agents";
import { InvalidArgumentError, Option } from "commander";
import { exitCodes, UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import { version } from "../version.ts";
import type { AddCommand } from "./command.ts";

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly publicUrl?: string;
  readonly timeScale: number;
  readonly cert?: string;
  readonly key?: string;
  readonly allowHost?: string[];
  readonly allowPrivateWebhooks?: boolean;
  readonly cors?: string[];
  readonly grpcPort?: number;
  readonly profile?: ProfileOptions["profile"];
  readonly mutant?: string;
  readonly json?: boolean;
}

const collect = (value: string, sofar: string[] = []): string[] => [...sofar, value];

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("Give a port from 0 to 65535; 0 takes any free one.");
  return port;
}

function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 100)) throw new InvalidArgumentError("Give a factor from 0 to 100, such as 0.1.");
  return value;
}

export const addServe: AddCommand = (program, screen, done) => {
  program
    .command("serve")
    .description("Serve the test bed: A2A agents with known behaviour, for those who build clients.")
    .option("--port <n>", "port to listen on; 0 takes any free one", portNumber, 4040)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--public-url <url>", "the address clients reach us by, for the cards (behind a proxy)")
    .option("--time-scale <factor>", "scale every delay of the skills: 0.1 makes them ten times faster", factor, 1)
    .option("--cert <file>", "serve TLS with this certificate (PEM), with --key")
    .option("--key <file>", "key of the certificate (PEM)")
    .option("--allow-host <host>", "a Host we answer to, and that webhooks and relay may reach (repeatable)", collect)
    .option("--allow-private-webhooks", "webhooks and relay may reach private networks")
    .option(
      "--cors <origin>",
      "pages of this origin may talk to the agents (repeatable); loopback pages always may",
      collect,
    )
    .option("--grpc-port <n>", "give every agent a gRPC port of its own: this one and those behind it", portNumber)
    .addOption(new Option("--profile <suite>", "tune /spec to what a suite expects").choices(["tck", "acts"]))
    .option("--mutant <id>", "put this mutant in the place of its base (GET /mutants lists them)")
    .option("--json", "one JSON line when ready, nothing else (the default when nobody watches)")
    .addHelpText(
      "after",
      `
Examples:
  $ assay serve                                   agents on http://127.0.0.1:4040
  $ assay serve --port 0 --json                   any free port, one JSON line with the address: for scripts
  $ assay serve --time-scale 0.1                  for test suites: every delay a tenth
  $ assay serve --host 0.0.0.0 --public-url https://a2a.example.com

Stop it with Ctrl-C: open streams are ended and answers under way are finished.`,
    )
    .action(async (flags: ServeFlags) => {
      const { startTestbed, UnknownMutant } = await import("@assay/agents");
      const testbed = await startTestbed({
        host: flags.host,
        port: flags.port,
        version,
        timeScale: flags.timeScale,
        allowPrivate: flags.allowPrivateWebhooks ?? false,
        origins: flags.cors ?? [],
        ...(flags.allowHost ? { allowedHosts: flags.allowHost } : {}),
        ...(flags.publicUrl ? { publicUrl: checkedUrl(flags.publicUrl) } : {}),
        ...tlsFrom(flags),
        ...(flags.grpcPort === undefined ? {} : { grpcPort: flags.grpcPort }),
        ...(flags.profile ? { profile: profileFrom(flags.profile) } : {}),
        ...(flags.mutant === undefined ? {} : { mutant: flags.mutant }),
        onError: (error) => screen.complain(`assay serve: ${error instanceof Error ? error.message : String(error)}`),
      }).catch((error: Error) => {
        if (error instanceof UnknownMutant)
          throw new UsageError(error.message, "GET /mutants of a running test bed lists them.");
        throw new UsageError(
          error.message,
          "Take another port (--port 0 finds a free one), or end what uses this one.",
        );
      });
      if (flags.json || !screen.isTerminal) screen.line(JSON.stringify(readyLine(testbed)));
      else greet(testbed, screen);
      done(await untilStopped(testbed, screen));
    });
};

const readyLine = ({ url, port, agents }: Testbed) => ({
  ready: true,
  url,
  port,
  pid: process.pid,
  agents: agents.map(({ path }) => `${url}/${path}`),
});

function greet({ url, agents }: Testbed, { line, colors }: Screen): void {
  line(`Assay test bed on ${colors.bold(url)}    (stop with Ctrl-C)`);
  line();
  for (const agent of agents) line(`  ${colors.bold(`/${agent.path}`.padEnd(10))} 1.0   ${shortOf(agent)}`);
  line();
  line(`Try     assay send ${url}/spec "streaming hello" --stream`);
  line(`Look    assay card ${url}/full`);
}

const shortOf = ({ description, skills }: AgentDefinition): string =>
  skills.length < 8
    ? description
    : `${description} ${skills
        .slice(0, 3)
        .map(({ id }) => id)
        .join(", ")} …`;

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
      if (screen.isTerminal) screen.line("\nStopping; Ctrl-C again to stop at once.");
      // Being stopped is how a server ends, so it is no failure.
      void testbed
        .close(5_000)
        .then(() => resolve(signal === "SIGINT" && screen.isTerminal ? exitCodes.interrupted : exitCodes.fine));
    };
    process.on("SIGINT", stop);
    process.on("SIGTERM", stop);
  });
}
