import { resultsOf } from "@assay/suite/report";
import { flaws } from "./flaws.ts";
import { kinds } from "./kinds.ts";
import { type Flaw, startFront } from "./planting-front.ts";
import { runOn } from "./run-on.ts";

/** What a run had to say about a violation that was planted. */
export type Told = "failed" | "warned" | "not examined" | "held";

export interface Planted {
  readonly flaw: Flaw;
  readonly told: Told;
  /** by which rules; of what was not told, why */
  readonly by: readonly string[];
}

/** How many agents are tested at a time: they mostly wait. */
const atOnce = 4;

/** Plants every flaw into an agent of its own, and tells what became of it at depth full. */
export async function plantAll(some: readonly Flaw[] = flaws): Promise<readonly Planted[]> {
  const faultless = await verdictsOn({ does: "nothing", rules: [] });
  const left = [...some];
  const planted: Planted[] = [];
  const work = async (): Promise<void> => {
    for (let flaw = left.shift(); flaw; flaw = left.shift()) {
      planted.push(judged(flaw, await verdictsOn(flaw), faultless));
      process.stderr.write(`  ${planted.at(-1)!.told}: ${flaw.does}\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return planted.toSorted((a, b) => some.indexOf(a.flaw) - some.indexOf(b.flaw));
}

/** What was said of each rule: fail, warning, pass or why not. */
type Verdicts = ReadonlyMap<string, string>;

async function verdictsOn(flaw: Flaw): Promise<Verdicts> {
  const agent = await kinds.find(({ name }) => name === "JavaScript SDK")!.start();
  const front = await startFront(agent.url, flaw);
  try {
    const report = await runOn(front.url, { depth: "full" });
    return new Map(
      resultsOf(report).map(({ test, verdict, warning, message }) => [
        test,
        warning !== undefined
          ? "warning"
          : verdict === "pass" || verdict === "fail"
            ? verdict
            : `${verdict}: ${message}`,
      ]),
    );
  } finally {
    front.close();
    agent.close();
  }
}

/** What the agent is told without the flaw is not what the flaw is told by. */
function judged(flaw: Flaw, verdicts: Verdicts, faultless: Verdicts): Planted {
  const newly = (verdict: string): string[] =>
    [...verdicts].filter(([id, said]) => said === verdict && faultless.get(id) !== verdict).map(([id]) => id);
  const [failed, warned] = [newly("fail"), newly("warning")];
  const ours = (ids: readonly string[]): string[] =>
    ids.toSorted((a, b) => place(flaw, a) - place(flaw, b)).slice(0, 4);
  if (failed.length) return { flaw, told: "failed", by: ours(failed) };
  if (warned.length) return { flaw, told: "warned", by: ours(warned) };
  const said = flaw.rules.map((id) => `${id} ${verdicts.get(id) ?? "has no result"}`);
  const told = said.every((each) => each.endsWith(" pass")) ? "held" : "not examined";
  return { flaw, told, by: said };
}

/** Its own rules first. */
const place = ({ rules }: Flaw, id: string): number => (rules.includes(id) ? rules.indexOf(id) : rules.length);
