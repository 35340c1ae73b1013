import { resultsOf } from "@assay/suite/report";
import { flaws } from "./flaws.ts";
import { kinds } from "./kinds.ts";
import { type Flaw, startFront } from "./planting-front.ts";
import { runOn } from "./run-on.ts";

/** The result of a run for a planted violation. */
export type Told = "failed" | "warned" | "not examined" | "held";

export interface Planted {
  readonly flaw: Flaw;
  readonly told: Told;
  /** the rules that found it, or the reasons why none did */
  readonly by: readonly string[];
}

/** Number of agents to test at the same time. Tests mostly wait. */
const atOnce = 4;

/** Plants each flaw into a separate agent, and tests each agent at depth full. */
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

/** The result of each rule: fail, warning, pass, or the reason why there is none. */
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

/** Ignores results that the agent also has without the flaw. */
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

/** Sorts the flaw's own rules first. */
const place = ({ rules }: Flaw, id: string): number => (rules.includes(id) ? rules.indexOf(id) : rules.length);
