import { maskedEvent, specUrl } from "@assay/suite";
import {
  type AgentFound,
  type ConformanceResult,
  interfaceKey,
  type RunEvent,
  type RunStarted,
} from "@assay/suite/report";
import type { Masker } from "@assay/wire";
import type { Interop, InteropDirection } from "./interop.ts";
import { type PairResult, pairResults } from "./pair-results.ts";

interface InteropRun {
  /** the id of the run */
  readonly run: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly masker: Masker;
}

const titles: Readonly<Record<PairResult["test"], string>> = {
  discovers: "A finds the card of B",
  "a-to-b": "A sends messages to B",
  "b-to-a": "B sends messages to A",
  concurrent: "A and B send messages at the same time",
  "cancel-across": "a task that is canceled on one side is canceled on the other, too",
};

/** Returns the events of a run about two agents, for reports: all of its results are in the category `interop`. */
export function interopEvents(found: Interop, { run, version, startedAt, endedAt, masker }: InteropRun): RunEvent[] {
  const { a, b, directions, understandings } = found;
  const started: RunStarted = {
    event: "run-started",
    subject: "pair",
    run,
    at: startedAt.toISOString(),
    tool: { name: "assay", version },
    ruleSet: ruleSetOf(directions),
    agentUrl: a.url,
    depth: "free",
    strict: false,
  };
  // A later result about the same rule and interface replaces the earlier one, and an agent may meet itself.
  const results = directions.flatMap(resultsIn).toSorted((one, other) => gravityOf(one) - gravityOf(other));
  const events: RunEvent[] = [
    started,
    ...bothFound(found),
    { event: "note", text: `A is ${a.name || a.url}, B is ${b.name || b.url} (${b.url})` },
    ...understandings.map(
      ({ direction, is, because, standIn }): RunEvent => ({
        event: "note",
        text: `${direction}${standIn === undefined ? "" : ` (${standIn} stands in)`}: ${words[is]} (${because.join("; ")})`,
      }),
    ),
    ...directions.flatMap((way) => way.events.filter(({ event }) => event === "exchange")),
    ...results.map((result): RunEvent => ({ event: "check-finished", result })),
    ...pairResults(found).map((result): RunEvent => ({ event: "check-finished", result: resultOf(result) })),
    {
      event: "run-finished",
      at: endedAt.toISOString(),
      ending: "done",
      duration_ms: endedAt.getTime() - startedAt.getTime(),
      workingMessages: directions.flatMap(({ exchanged }) => exchanged).reduce((sum, { sent }) => sum + sent, 0),
    },
  ];
  return events.map((event) => maskedEvent(event, masker));
}

const words = { yes: "understood", no: "not understood", unknown: "not tested" } as const;

const ruleSetOf = (directions: readonly InteropDirection[]): string =>
  directions.flatMap(({ events }) =>
    events.flatMap((each) => (each.event === "run-started" ? [each.ruleSet] : [])),
  )[0] ?? "1.0";

/** Returns both agents as one, with the interfaces of both. */
function bothFound({ a, b, directions }: Interop): AgentFound[] {
  const each = directions.flatMap(({ events }) => events.filter((event) => event.event === "agent-found"));
  const [first] = each;
  if (!first) return [];
  const name = `${a.name || a.url} and ${b.name || b.url}`;
  const interfaces = new Map(each.flatMap((one) => one.interfaces.map((on) => [interfaceKey(on), on])));
  return [{ ...first, name, version: "", interfaces: [...interfaces.values()] }];
}

/** Returns what the traffic shows about both agents. A client that stands in for one is neither of them. */
function resultsIn({ direction, events, standIn }: InteropDirection): ConformanceResult[] {
  const [client, agent] = direction === "a-to-b" ? ["A", "B"] : ["B", "A"];
  return events.flatMap((event) => {
    if (event.event !== "check-finished") return [];
    const { result } = event;
    const isOfAgent = result.party !== "client";
    if ((result.verdict !== "pass" && result.verdict !== "fail") || !(isOfAgent || standIn === undefined)) return [];
    const who = isOfAgent ? `${agent} as a server` : `${client} as a client`;
    return [
      { ...result, category: "interop", ...(result.message !== undefined && { message: `${who}: ${result.message}` }) },
    ];
  });
}

const gravityOf = ({ verdict, warning }: ConformanceResult): number =>
  verdict === "fail" ? 2 : warning === undefined ? 0 : 1;

const resultOf = ({ test, status, message, warning }: PairResult): ConformanceResult => ({
  test,
  category: "interop",
  status,
  verdict: status === "skip" ? "not-examined" : status,
  dialect: "1.0",
  level: "MUST",
  title: titles[test],
  section: "",
  specUrl: specUrl(""),
  ...(message !== undefined && { message: status === "fail" ? `${titles[test]}: ${message}` : message }),
  ...(warning !== undefined && { warning }),
  ...(status === "skip" && { unexamined: "not-triggered" }),
  evidence: [],
});
