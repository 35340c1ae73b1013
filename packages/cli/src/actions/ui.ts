import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { findRun, RunFolder } from "@assay/library/runs";
import { exportSite, serveUi, type UiServer } from "@assay/web";
import type { UiFlags } from "../commands/ui.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { checkHistory } from "../recorded/run-history.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { Screen } from "../terminal/screen.ts";
import { createLab, keptRuns } from "../ui/lab.ts";
import { keptMatrices } from "../ui/matrices.ts";

/** The whole command: writes the page as files, or serves it until it is stopped. */
export const openThePage = (flags: UiFlags, screen: Screen): Promise<ExitCode> =>
  flags.export === undefined ? serveThePage(flags, screen) : exportThePage(flags.export, flags, screen);

async function serveThePage(flags: UiFlags, screen: Screen): Promise<ExitCode> {
  const server = await start(flags, screen);
  const { url, port, link, token, isExposed } = server;
  // A program that reads that it is ready may stop it.
  const stopped = untilStopped(server, flags, screen);
  if (flags.json || !screen.isTerminal) screen.json({ ready: true, url, port, link, token, pid: process.pid });
  else {
    screen.line(`Assay on ${screen.colors.bold(link)}    (stop with Ctrl-C)`);
    if (flags.open !== false) openBrowser(link);
  }
  if (isExposed)
    screen.complain(
      "warning: other machines can reach this page. Anyone who has its address with the token can use it.",
    );
  return stopped;
}

/** Writes the page as files, with the runs that are asked for. */
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

async function start(
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

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
  linux: ["xdg-open"],
};

/** Where there is no browser, the address is on the screen all the same. */
function openBrowser(link: string): void {
  const [command, ...args] = openers[process.platform] ?? [];
  if (command === undefined) return;
  spawn(command, [...args, link], { stdio: "ignore", detached: true, windowsHide: true })
    .on("error", () => {})
    .unref();
}

/** A signal is the normal end of a server. */
async function untilStopped(server: UiServer, flags: UiFlags, screen: Screen): Promise<ExitCode> {
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
  release();
  return code;
}
