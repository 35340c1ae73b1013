import { type Examination, examinationOf, shareOf } from "./coverage/families.ts";
import { kinds } from "./coverage/kinds.ts";
import { plantAll } from "./coverage/planted.ts";
import { runOn } from "./coverage/run-on.ts";
import { progress, report, sized } from "./results/report.ts";
import { cellOf } from "./results/rows.ts";

/**
 * Measures which share of the rules that concern an agent Assay examines without any configuration. The kinds of agent
 * were not prepared for it. Then plants violations into one of them and shows which ones Assay finds. Arguments select
 * kinds by the beginnings of their names; `planted` selects the violations.
 */
const write = (text = ""): void => void process.stdout.write(`${text}\n`);
const chosen = process.argv.slice(2);
const depths = sized<readonly ("quick" | "full")[]>({
  short: ["quick"],
  standard: ["quick"],
  long: ["quick", "full"],
});

const counted = ({ examined, applicable }: Pick<Examination, "examined" | "applicable">): string =>
  `${examined} of ${applicable}`;

interface Measured {
  readonly name: string;
  readonly depth: string;
  readonly messages: number;
  readonly seconds: number;
  readonly examination: Examination;
}

const measured: Measured[] = [];
for (const kind of kinds) {
  const isChosen = chosen.length
    ? chosen.some((name) => kind.name.toLowerCase().startsWith(name.toLowerCase()))
    : !kind.isLong || sized({ short: false, standard: false, long: true });
  if (!isChosen) continue;
  for (const depth of depths) {
    // Start a fresh agent each time, so that tasks of an earlier run cannot help this one.
    const agent = await kind.start();
    try {
      const run = await runOn(agent.url, { depth });
      if (run.ending !== "done") throw new Error(`${kind.name}, ${depth}: ${run.ending}. ${run.message ?? ""}`);
      const { workingMessages: messages } = run.summary;
      const examination = examinationOf(run, kind.shows);
      measured.push({ name: kind.name, depth, messages, seconds: run.duration_ms / 1000, examination });
      progress(`${kind.name}, ${depth}: ${counted(examination)}`);
    } finally {
      agent.close();
    }
  }
}

if (measured.length) tellShares(measured);

const isPlanting =
  chosen.includes("planted") || (chosen.length === 0 && sized({ short: false, standard: false, long: true }));
if (isPlanting) {
  const planted = await plantAll();
  const count = (told: string): number => planted.filter((each) => each.told === told).length;
  write(`\n${planted.length} violations planted into an agent on the JavaScript SDK, one at a time, at depth full:`);
  write(
    `${count("failed")} failed, ${count("warned")} warned, ${count("not examined")} not examined, ${count("held")} not seen\n`,
  );
  write("| what the agent does | told | by |");
  write("|---|---|---|");
  for (const { flaw, told, by } of planted) write(`| ${flaw.does} | ${told} | ${by.join(", ")} |`);
}

/** Prints the shares by agent and by family, then the rules that were not examined. */
function tellShares(all: readonly Measured[]): void {
  report(
    "Examined without configuration",
    all.flatMap(({ name: kind, depth, messages, seconds, examination }) => {
      const name = `${kind}, ${depth}`;
      const columns: [string, string, "higher" | "neither", number][] = [
        ["messages", "", "neither", messages],
        ["time", "s", "neither", seconds],
        ["examined", "", "higher", examination.examined],
        ["rules that apply", "", "neither", examination.applicable],
        ["examined, of what it can show unasked", "%", "higher", shareOf(examination)],
      ];
      return columns.map(([column, unit, better, value]) => cellOf({ name, column, unit, better }, [value]));
    }),
  );

  for (const depth of depths) {
    const columns = all.filter((each) => each.depth === depth);
    const families = [
      ...new Set(columns.flatMap(({ examination }) => examination.families.map(({ family }) => family))),
    ];
    write(`\nBy family, at depth ${depth}:\n`);
    write(`| family | ${columns.map(({ name }) => name).join(" | ")} |`);
    write(`|---|${columns.map(() => "--:|").join("")}`);
    for (const family of families.toSorted()) {
      const cells = columns.map(({ examination }) => {
        const count = examination.families.find((each) => each.family === family);
        return count ? counted(count) : "·";
      });
      write(`| ${family} | ${cells.join(" | ")} |`);
    }
  }

  for (const { name, depth, examination } of all) {
    if (depth !== "full") continue;
    const reasons = new Map<string, string[]>();
    for (const { rule, because, opening } of examination.open) {
      const reason = `${opening.padEnd(9)}  ${because}`;
      reasons.set(reason, [...(reasons.get(reason) ?? []), rule]);
    }
    write(`\n${name}, ${depth}: not examined`);
    for (const [reason, rules] of [...reasons].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      write(`  ${reason}\n             ${rules.join(" ")}`);
  }
}
