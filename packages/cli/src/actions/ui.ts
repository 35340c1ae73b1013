import { once } from "node:events";
import { basename, join } from "node:path";
import { parseAddress } from "@assay/library/connection";
import { findRun, RunFolder } from "@assay/library/runs";
import { StartedAgent } from "@assay/library/started-agent";
import { exportSite, serveUi, type UiServer } from "@assay/web";
import type { UiFlags } from "../commands/ui.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { checkHistory } from "../recorded/run-history.ts";
import { interruptible } from "../shutdown/interruption.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import type { Screen } from "../terminal/screen.ts";
import { createLab, keptRuns } from "../ui/lab.ts";
import { assertMatrices, keptMatrices } from "../ui/matrices.ts";
import { namedAgents } from "../ui/named-agents.ts";

/** Runs `assay ui`: writes the page as files, or serves it until it is stopped. */
export async function openThePage(url: string | undefined, flags: UiFlags, screen: Screen): Promise<ExitCode> {
  assertMatrices(flags.matrix ?? []);
  if (flags.export === undefined) return serveThePage(url, flags, screen);
  if (url !== undefined || flags.start !== undefined)
    throw new UsageError("--export writes saved runs and tests no agent", "Omit the address and --start.");
  return exportThePage(flags.export, flags, screen);
}

async function serveThePage(address: string | undefined, flags: UiFlags, screen: Screen): Promise<ExitCode> {
  if (address !== undefined) parseAddress(address);
  const server = await start(address, flags, screen);
  const agent = await startAgent(address, flags, screen).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  const { url, port, link, token, isExposed } = server;
  // Register the signals before printing the address: a program that reads it may stop Assay at once.
  const stopped = untilStopped(server, agent, flags, screen);
  if (flags.json || !screen.isTerminal) screen.json({ ready: true, url, port, link, token, pid: process.pid });
  else {
    screen.line(`Assay on ${screen.colors.bold(link)}    (stop with Ctrl-C)`);
    if (flags.open !== false) openBrowser(screen, link);
  }
  if (isExposed)
    screen.complain(
      "warning: other machines can reach this page. Anyone who has its address with the token can use it.",
    );
  return stopped;
}

/** Writes the page as files, with the selected runs. */
export async function exportThePage(
  folder: string,
  { run: wanted, matrix = [] }: Pick<UiFlags, "run" | "matrix">,
  screen: Screen,
  runs = new RunFolder(),
): Promise<ExitCode> {
  const all = runs.list();
  const chosen = wanted ? wanted.map((each) => nameOf(findRun(each, runs))) : all;
  if (chosen.length === 0 && matrix.length === 0)
    throw new UsageError(`No runs in ${runs.path}.`, "Run a test first: assay test <url>");
  try {
    await exportSite(folder, {
      runs: keptRuns(runs),
      chosen: all.filter((run) => chosen.includes(run)),
      matrices: keptMatrices(matrix),
    });
  } catch (error) {
    throw new UsageError(`Cannot write the page to ${folder}: ${(error as Error).message}`);
  }
  screen.line(
    `${plural(chosen.length, "run")} written to ${folder}. Open ${join(folder, "index.html")}, or upload it to any web server.`,
  );
  return exitCodes.fine;
}

const nameOf = (file: string): string => basename(file, ".ndjson");

/** Starts the agent with the command from --start. Assay does not run a command of assay.yaml here. */
async function startAgent(
  address: string | undefined,
  { start: command }: UiFlags,
  screen: Screen,
): Promise<StartedAgent | undefined> {
  if (command === undefined) return undefined;
  const url = address ?? namedAgents(undefined)[0]?.url;
  if (url === undefined)
    throw new UsageError(
      "--start requires the address of the agent",
      `assay ui http://127.0.0.1:9999 --start "${command}"`,
    );
  const agent = await StartedAgent.start(command, parseAddress(url).href);
  void agent.failed.then(() => {
    for (const line of agent.obituary()) screen.complain(line);
  });
  return agent;
}

async function start(
  address: string | undefined,
  { host, port, allowHost, timeScale, matrix, history, allowSecrets, untrustedConfig }: UiFlags,
  screen: Screen,
): Promise<UiServer> {
  if (history !== undefined) await checkHistory(history);
  const trust = { ...(allowSecrets && { allowSecrets }), ...(untrustedConfig && { untrustedConfig }) };
  try {
    return await serveUi({
      host,
      port,
      lab: createLab({
        timeScale,
        ...(matrix && { matrices: matrix }),
        ...(history !== undefined && { history }),
        ...(address !== undefined && { address }),
        operator: { trust, screen },
      }),
      ...(allowHost && { allowedHosts: allowHost }),
      onError: (error) => screen.complain(`assay ui: ${error instanceof Error ? error.message : String(error)}`),
    });
  } catch (error) {
    throw new UsageError(
      (error as Error).message,
      "Choose another port (--port 0 picks a free one), or stop the program that uses this one.",
    );
  }
}

/** Serves until a signal arrives, which is the normal end of a server. */
async function untilStopped(
  server: UiServer,
  agent: StartedAgent | undefined,
  flags: UiFlags,
  screen: Screen,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine;
  const { signal, release } = interruptible(screen, {
    timeout: flags.shutdownTimeout,
    onStop: (by) => {
      if (!screen.isTerminal) return;
      screen.line("Stopping. Press Ctrl-C again to stop at once.");
      if (by === "SIGINT") code = exitCodes.interrupted;
    },
    unfinished: () => ["running tests, with their tasks on the agents"],
  });
  await once(signal, "abort");
  await server.close();
  await agent?.end();
  release();
  return code;
}
