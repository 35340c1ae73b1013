import { version } from "@assay/library/version";
import {
  checkDriver,
  type DriverDescription,
  MatrixAssembly,
  type MatrixOptions,
  missingPart,
  runMatrix,
} from "@assay/matrix";
import { blameText, causesOf, type SharedCause, scoreOf, scoreText } from "@assay/matrix/view";
import type { ActsFile } from "@assay/scenarios";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { Screen } from "../terminal/screen.ts";

export interface DriverCheck {
  readonly driver: DriverDescription;
  /** Assay's own driver, which the checked driver talks to */
  readonly own: DriverDescription;
  readonly file: ActsFile;
  readonly env: MatrixOptions["env"];
  /** seconds for the cleanup after a signal */
  readonly timeout: number | undefined;
}

/** Checks a driver by itself, then tests it with Assay's own client and server. */
export async function checkDriverCommand(
  { driver, own, file, env, timeout }: DriverCheck,
  screen: Screen,
): Promise<ExitCode> {
  const { colors } = screen;
  const absent = missingPart(driver, env);
  if (absent !== undefined)
    throw new UsageError(
      `${driver.name} is not set up: ${absent} is missing.`,
      driver.setup.length
        ? `Set it up: assay matrix --setup --sdk ${driver.folder} --client ${driver.name}`
        : `Build it, or name the commands that build it as "setup" in driver.yaml.`,
    );
  let missing = 0;
  for await (const { what, trouble } of checkDriver(driver, env)) {
    if (trouble === undefined) {
      screen.line(`  ${colors.green("✓")} ${what}`);
      continue;
    }
    missing += 1;
    screen.line(`  ${colors.red("✗")} ${what}`);
    for (const line of trouble.split("\n")) screen.line(`      ${line}`);
  }
  if (missing) {
    screen.line();
    screen.line(`${plural(missing, "requirement")} not met. docs/drivers.md lists all requirements.`);
    return exitCodes.agent;
  }
  const interruption = interruptible(screen, {
    timeout,
    onStop: () => screen.complain("Stopping."),
    unfinished: () => ["processes of the drivers (killed)"],
  });
  const drivers = [...new Set([own, driver])];
  const assembly = new MatrixAssembly();
  const startedAt = new Date().toISOString();
  try {
    await runMatrix({
      drivers,
      file,
      suite: { version, scenarios: "" },
      only: ({ client, server }) => client !== server && (client === driver || server === driver),
      jobs: 2,
      spareBytes: 0,
      env,
      signal: interruption.signal,
      chain: false,
      record: (record) => {
        assembly.add(record);
        if (record.is !== "pairing") return;
        // Counts like the matrix: unsupported and inapplicable scenarios did not run.
        const score = scoreOf(record.cells);
        const others = [
          ...(score.unsupported ? [`${score.unsupported} not supported`] : []),
          ...(score.left ? [`${score.left} not applicable or not run`] : []),
        ];
        screen.line(`  ${record.id}: ${[`${scoreText(score)} scenarios pass`, ...others].join(", ")}`);
        for (const { scenario, outcome, because } of record.cells)
          if (outcome === "unsupported") screen.line(`      ${scenario}: unsupported: ${because ?? ""}`);
      },
    });
  } finally {
    interruption.release();
  }
  if (interruption.signal.aborted) return exitCodes.interrupted;
  const matrix = assembly.document({ version, startedAt, timeScale: 1, drivers, file, known: [] });
  for (const line of endLines(causesOf(matrix))) screen.line(line);
  return exitCodes.fine;
}

/** Names the side at fault of each cause, as the matrix does: it may also be Assay or the specification. */
function endLines(causes: readonly SharedCause[]): readonly string[] {
  if (!causes.length) return ["", "The driver is complete, and every scenario passes with Assay's client and server."];
  const red = causes.reduce((sum, { cells }) => sum + cells.length, 0);
  return [
    "",
    `The driver is complete. ${plural(red, "scenario")} failed with Assay's client or server, by ${plural(causes.length, "cause")}:`,
    ...causes.flatMap((cause) => [
      `  ${blameText(cause)}: ${cause.title}`,
      ...cause.cells.map(({ id, because = "" }) => `      ${id}: ${because}`),
    ]),
  ];
}
