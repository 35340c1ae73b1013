import { type TestOptions, testAgent } from "@assay/suite";
import { resultsOf } from "@assay/suite/report";
import type { FoundCard } from "@assay/wire";
import type { ClassFinding } from "../classes/card-trouble.ts";
import { classOfRun, firstBreach } from "../classes/classify.ts";
import { contactRule } from "../classes/interface-finding.ts";
import { RunFacts } from "../classes/run-facts.ts";
import type { Examination, FleetJob } from "./examination.ts";
import type { ExamineOptions } from "./examine.ts";

/** Time without a response after which the sweep leaves an agent for a later attempt. */
const patienceMs = 3_000;

/** Runs the suite on an agent that answers, at the depth that the list requests. */
export async function examined(
  { agent }: FleetJob,
  options: ExamineOptions,
  found: FoundCard,
  concluded: (trouble: ClassFinding, more: Partial<Examination>, detail?: string) => Examination,
): Promise<Examination> {
  const wanted = asked(agent);
  const test = { ...options, ...wanted, found };
  let facts = await factsFrom(test);
  // If something other than A2A answers, the first contact may use up the only message. Then run again without
  // messages.
  if (wanted.budget === 1 && isUnpaid(facts)) facts = await factsFrom({ ...test, depth: "free" });
  const report = facts.reportWithEvidence();
  const trouble = classOfRun(facts, { card: found.json, hasLogin: agent.login !== undefined });
  const breach = report.outcome === "not-conformant" ? firstBreach(report) : undefined;
  return concluded(trouble, { report }, breach);
}

async function factsFrom(options: TestOptions): Promise<RunFacts> {
  const facts = new RunFacts();
  for await (const event of testAgent(options)) facts.take(event);
  return facts;
}

/** The first contact ran out of messages. */
const isUnpaid = ({ report }: RunFacts): boolean =>
  resultsOf(report).some(({ test, unexamined }) => test === contactRule && unexamined === "budget");

/** Limits the run. At a depth without messages, a permitted message is one plain message. */
function asked({ depth, mayMessage, deadline }: FleetJob["agent"]): Partial<TestOptions> {
  const isSilent = depth === "card" || depth === "free";
  return {
    ...(isSilent && mayMessage ? { depth: "quick", budget: 1 } : { depth: isSilent || mayMessage ? depth : "free" }),
    ...(deadline !== undefined && { maxTime: deadline }),
    // The agents' operators did not ask for this test, so it is never rude, not even to Assay's test bed.
    rude: false,
    // The card is there. If the agent is starting or down for a moment, the sweep tries it again later.
    warmUp: 0,
    goneAfter: patienceMs,
  };
}
