import { readAssayYaml } from "@assay/library/config";
import type { TestFlags } from "../commands/test.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { plural } from "../phrases.ts";
import type { Screen } from "../terminal/screen.ts";

/** Runs `--list`: shows the selected checks, without an agent. */
export async function listChecks(flags: TestFlags, screen: Screen): Promise<ExitCode> {
  const { selectChecks } = await import("@assay/suite");
  const { only, skip, dialects: versions } = { ...readAssayYaml(flags.config), ...flags };
  const checks = selectChecks({ ...(only && { only }), ...(skip && { skip }) }).filter(
    ({ dialects }) => !versions || dialects.some((version) => versions.includes(version)),
  );
  if (flags.json) {
    screen.json(checks, 2);
    return exitCodes.fine;
  }
  const width = Math.max(0, ...checks.map(({ id }) => id.length));
  const spoken = checks.map(({ dialects }) => versionsIn(dialects));
  const versionsWidth = Math.max(0, ...spoken.map((text) => text.length));
  for (const [index, { id, kind, messages, depth, rude, title }] of checks.entries()) {
    const cost = messages ? plural(messages, "message") : "free";
    const versions = spoken[index]!.padEnd(versionsWidth);
    screen.line(
      `${id.padEnd(width)}  ${versions}  ${kind.padEnd(7)}  ${depth.padEnd(5)}  ${cost.padEnd(11)}  ${title}${rude ? "   (--rude)" : ""}`,
    );
  }
  screen.line();
  screen.line(`${plural(checks.length, "check")}. Run assay explain <id> for details.`);
  return exitCodes.fine;
}

/** Returns the versions that have a rule, such as "1.0", "0.1-1.0" or "0.2, 0.3". The argument has the newest first. */
function versionsIn(dialects: readonly string[]): string {
  const [newest, oldest] = [dialects[0], dialects.at(-1)];
  return dialects.length > 2 ? `${oldest}-${newest}` : dialects.toReversed().join(", ");
}
