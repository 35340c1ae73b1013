import { version } from "@assay/library/version";
import { checkDriver, type DriverDescription, type MatrixOptions, runMatrix } from "@assay/matrix";
import { scoreOf, scoreText } from "@assay/matrix/view";
import type { ActsFile } from "@assay/scenarios";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import { interruptible } from "../shutdown/interruption.ts";
import type { Screen } from "../terminal/screen.ts";

export interface DriverCheck {
  readonly driver: DriverDescription;
  /** Assay's own driver, which it talks to */
  readonly own: DriverDescription;
  readonly file: ActsFile;
  readonly env: MatrixOptions["env"];
  /** seconds for the orderly end after a signal */
  readonly timeout: number | undefined;
}

/** Starts a driver, looks at what it has to do, and lets it talk to Assay's own client and server. */
export async function checkDriverCommand(
  { driver, own, file, env, timeout }: DriverCheck,
  screen: Screen,
): Promise<ExitCode> {
  const { colors } = screen;
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
  if (missing) return said(missing, 0, screen);
  const interruption = interruptible(screen, {
    timeout,
    onStop: () => screen.complain("Stopping."),
    unfinished: () => ["processes of the drivers (killed)"],
  });
  let red = 0;
  try {
    await runMatrix({
      drivers: [...new Set([own, driver])],
      file,
      suite: { version, scenarios: "" },
      only: ({ client, server }) => client !== server && (client === driver || server === driver),
      jobs: 2,
      spareBytes: 0,
      env,
      signal: interruption.signal,
      chain: false,
      record: (record) => {
        if (record.is !== "pairing") return;
        // The same numbers as in the matrix: unsupported and inapplicable scenarios were not tried.
        const score = scoreOf(record.cells);
        const others = [
          ...(score.unsupported ? [`${score.unsupported} not supported`] : []),
          ...(score.left ? [`${score.left} not applicable or not run`] : []),
        ];
        screen.line(`  ${record.id}: ${[`${scoreText(score)} scenarios pass`, ...others].join(", ")}`);
        for (const { scenario, outcome, because, blame } of record.cells) {
          if (outcome !== "failed" && outcome !== "unsupported" && outcome !== "blocked") continue;
          if (outcome !== "unsupported") red += 1;
          screen.line(`      ${scenario}: ${outcome}${blame ? ` (${blame.whose})` : ""}: ${because ?? ""}`);
        }
      },
    });
  } finally {
    interruption.release();
  }
  return interruption.signal.aborted ? exitCodes.interrupted : said(0, red, screen);
}

function said(missing: number, red: number, screen: Screen): ExitCode {
  screen.line();
  if (missing) screen.line(`${plural(missing, "requirement")} not met. docs/drivers.md lists all requirements.`);
  else
    screen.line(
      red
        ? `The driver is complete. ${plural(red, "scenario")} failed with Assay's client or server, because of the SDK or the driver.`
        : "The driver is complete, and every scenario passes with Assay's client and server.",
    );
  return missing ? exitCodes.agent : exitCodes.fine;
}
