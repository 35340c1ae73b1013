import { resolve } from "node:path";
import { isSea } from "node:sea";
import { startTestbed } from "@assay/agents";
import { projectsFor, settingsOf } from "@assay/library/config";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { exitCodeOf } from "@assay/suite/report";
import type { DemoFlags } from "../commands/demo.ts";
import type { TestFlags } from "../commands/test.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { openBrowser } from "../terminal/open-browser.ts";
import type { Screen } from "../terminal/screen.ts";
import { briefOf } from "../terminal/summary.ts";
import { testOnce } from "../testing/one-run.ts";

/** Shortens the delays of the built-in agents, which would only slow the tour down. */
const timeScale = 0.02;

/** The agents of the tour, with the expected exit code of each test. */
const stops = [
  { title: "Test a good agent", path: "/spec", ends: exitCodes.fine },
  { title: "Test an agent that breaks one rule", path: "/mutants/GET-002.invalid", ends: exitCodes.agent },
] as const;

// The single file also runs where there is no npx.
const assay = isSea() ? process.argv0 : "npx a2a-assay";

const next = [
  [`${assay} test http://127.0.0.1:9999`, "test your agent: put its address here"],
  [`${assay} client -- node my-client.js`, "test your client: put its command here"],
  [`${assay} serve`, "start these agents, and build a client against them"],
] as const;

/** Runs `assay demo`: serves the test bed and tests two of its agents. */
export async function playDemo(
  { open, ...flags }: DemoFlags,
  screen: Screen,
  filter: TestFlags = {},
): Promise<ExitCode> {
  const { line, colors } = screen;
  const testbed = await startTestbed({ host: "127.0.0.1", port: 0, version, timeScale });
  const earlier = new Set(new RunFolder().list());
  try {
    line(`Assay starts its test bed on ${testbed.url}: agents to test, until this command ends.`);
    for (const [index, { title, path, ends }] of stops.entries()) {
      const agent = `${testbed.url}${path}`;
      line();
      line(colors.bold(`${index + 1}. ${title}`));
      line(colors.dim(`$ assay test ${agent} --depth quick`));
      line();
      const code = await testBriefly(agent, { ...filter, ...flags, depth: "quick", config: false }, screen);
      if (code !== ends) return code === exitCodes.interrupted ? code : exitCodes.ours;
    }
    line();
    showReport(earlier, open !== false, screen);
    line();
    line(colors.bold("Try next"));
    const width = Math.max(...next.map(([command]) => command.length));
    for (const [command, does] of next) line(`  ${command.padEnd(width)}   ${colors.dim(does)}`);
    return exitCodes.fine;
  } finally {
    await testbed.close(1_000);
  }
}

/** Runs a normal test, but shows only the verdict and the fixes. */
async function testBriefly(url: string, flags: TestFlags, screen: Screen): Promise<ExitCode> {
  const [{ testAgent }, { loadReporters }] = await Promise.all([import("@assay/suite"), import("@assay/reporters")]);
  const settings = await settingsOf(url, flags, screen, projectsFor(url, flags)[0]!);
  const { code } = await testOnce({
    ...{ settings, flags, testAgent, screen, people: screen, targets: [] },
    reporters: await loadReporters(),
    folder: new RunFolder(),
    concludes: ({ report }) => {
      for (const each of briefOf(report, { columns: screen.size().columns, colors: screen.colors })) screen.line(each);
      return exitCodeOf(report);
    },
  });
  return code;
}

/** Names the page of the newest run of this demo, and opens it if there is a display. Without recordings there is none. */
function showReport(earlier: ReadonlySet<string>, mayOpen: boolean, screen: Screen): void {
  const folder = new RunFolder();
  const last = folder.list().findLast((run) => !earlier.has(run));
  if (last === undefined) return;
  const page = folder.beside(last, "html");
  const isOpen = mayOpen && openBrowser(screen, resolve(page));
  screen.line(`The full report${isOpen ? " opens in your browser" : ""}: ${page}`);
}
