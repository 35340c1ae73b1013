import { appendFileSync } from "node:fs";
import { projectsFor, settingsOf } from "@assay/library/config";
import { withoutLogin } from "@assay/library/connection";
import { RunFolder, reasonOf } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { didYouMean } from "@assay/protocol/core";
import type { GateLine, GateReport, Run } from "@assay/reporters";
import { cardFrom, type SourcedCard } from "../card/card-source.ts";
import type { GateFlags } from "../commands/gate.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { assertClients, cardDiffGate, forecastGate, signatureGate, testGate } from "../gate/gates.ts";
import { type GatePolicy, readPolicy } from "../gate/policy.ts";
import { writeFile } from "../report-targets.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { testOnce } from "../testing/one-run.ts";

/** Runs `assay gate`: examines each gate of the policy, and returns one verdict. */
export async function runGate(url: string, flags: GateFlags, screen: Screen): Promise<ExitCode> {
  const policy = readPolicy(flags.policy);
  const targets = (flags.report ?? []).map(targetOf);
  if (policy.forecast) await assertClients(policy.forecast, flags.policy);
  const people = flags.json ? screen.aside() : screen;
  const { run, card, code } = await seen(url, policy, flags, people);
  // An interrupted run has no verdict.
  if (code === exitCodes.interrupted || code === exitCodes.ours) return code;
  const examined = await examine(policy, { url, flags, run, card, screen });
  // Mask everything once, here: the verdict also goes to files, which the screen does not mask.
  const gates = examined.map((gate) => ({
    ...gate,
    because: screen.masked(gate.because),
    details: screen.masked(gate.details),
  }));
  const agent = screen.masked(withoutLogin(url));
  const report: GateReport = { agent, policy: flags.policy, verdict: verdictOf(gates), gates };
  const reporters = await import("@assay/reporters");
  if (flags.json) screen.write(reporters.gateJson(report));
  else show(report, reporters.statusWords, screen);
  const texts = {
    json: () => reporters.gateJson(report),
    sarif: () => reporters.gateSarif(report, version, run),
    markdown: () => reporters.gateMarkdown(report),
  };
  let isWritten = true;
  const write = (file: string, act: () => void, rescue = (): string => ""): void => {
    try {
      act();
    } catch (error) {
      isWritten = false;
      people.complain(`assay: cannot write ${file}: ${reasonOf(error as NodeJS.ErrnoException)}${rescue()}`);
    }
  };
  let isOutputTaken = flags.json === true;
  for (const { format, file } of targets) {
    const text = texts[format]();
    write(
      file,
      () => writeFile(file, text, 0o666),
      () => {
        if (isOutputTaken) return "";
        isOutputTaken = true;
        screen.write(`${text.trimEnd()}\n`);
        return ". The report goes to stdout instead.";
      },
    );
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) {
    people.commands(reporters.gateAnnotations(report));
    write(summary, () => appendFileSync(summary, `${texts.markdown()}\n`));
  }
  return isWritten ? endings[report.verdict] : exitCodes.ours;
}

const endings: Readonly<Record<GateLine["status"], ExitCode>> = {
  passed: exitCodes.fine,
  failed: exitCodes.agent,
  "not-examined": exitCodes.usage,
};

const verdictOf = (gates: readonly GateLine[]): GateLine["status"] =>
  (["failed", "not-examined"] as const).find((status) => gates.some((gate) => gate.status === status)) ?? "passed";

const formats = ["json", "sarif", "markdown"] as const;

function targetOf(text: string): { readonly format: (typeof formats)[number]; readonly file: string } {
  const [name = "", ...rest] = text.split("=");
  const format = formats.find((each) => each === name);
  const file = rest.join("=");
  if (!format)
    throw new UsageError(
      `--report ${text}: unknown format "${name}".${didYouMean(name, formats)}`,
      `Formats: ${formats.join(", ")}. With a file: --report sarif=gate.sarif`,
    );
  if (file === "") throw new UsageError(`--report ${text}: missing file name. Write it after =: ${format}=<file>`);
  return { format, file };
}

/** The input of the gates: the run and the card, each read at most once. */
interface Seen {
  readonly run: Run | undefined;
  readonly card: () => Promise<SourcedCard>;
  readonly code: ExitCode;
}

async function seen(url: string, policy: GatePolicy, flags: GateFlags, screen: Screen): Promise<Seen> {
  const { policy: _policy, report: _report, json: _json, ...connection } = flags;
  const fetched = () => cardFrom(url, connection, screen);
  if (!policy.test && !policy.forecast) {
    const card = fetched();
    card.catch(() => {});
    return { run: undefined, card: () => card, code: exitCodes.fine };
  }
  const depth = policy.test?.depth ?? "quick";
  const asked = { ...connection, depth, ...(flags.json && { json: true }) } as const;
  const settings = await settingsOf(url, asked, screen, projectsFor(url, asked)[0]!);
  const { testAgent } = await import("@assay/suite");
  const reporters = await (await import("@assay/reporters")).loadReporters();
  let run: Run | undefined;
  let card: Promise<SourcedCard> | undefined;
  const { code } = await testOnce({
    settings: { ...settings, gates: {} },
    flags: asked,
    async *testAgent(options) {
      yield* testAgent(options);
      // Fetch the card while the agent that assay.yaml starts still runs.
      card = fetched();
      await card.catch(() => {});
    },
    reporters,
    folder: new RunFolder(),
    targets: [],
    screen,
    people: screen,
    concludes: (finished) => {
      run = finished;
      return exitCodes.fine;
    },
  });
  return { run, card: () => card ?? fetched(), code };
}

async function examine(
  { test, cardDiff, signature, forecast }: GatePolicy,
  {
    run,
    card,
    ...agent
  }: Pick<Seen, "run" | "card"> & {
    readonly url: string;
    readonly flags: GateFlags;
    readonly screen: Screen;
  },
): Promise<readonly GateLine[]> {
  const { policy: _policy, report: _report, json: _json, config: _config, ...flags } = agent.flags;
  return [
    ...(test ? [testGate(test, run)] : []),
    ...(cardDiff ? [await cardDiffGate(cardDiff, card)] : []),
    ...(signature ? [await signatureGate(signature, card, { ...agent, flags })] : []),
    ...(forecast ? [await forecastGate(forecast, run)] : []),
  ];
}

function show(
  { gates, verdict }: GateReport,
  words: Readonly<Record<GateLine["status"], string>>,
  screen: Screen,
): void {
  const { line, colors } = screen;
  const paint = { passed: colors.green, failed: colors.red, "not-examined": colors.yellow };
  const sign = { passed: "✓", failed: "✗", "not-examined": "?" };
  line();
  for (const { gate, status, because, details } of gates) {
    line(`${paint[status](`${sign[status]} ${gate.padEnd(9)}  ${words[status].padEnd(12)}`)}  ${escapeText(because)}`);
    for (const each of details.slice(0, 20)) line(`    ${escapeText(each)}`);
    if (details.length > 20) line(`    … and ${details.length - 20} more`);
  }
  line();
  line(colors.bold(paint[verdict](`Gate ${words[verdict]}`)));
}
