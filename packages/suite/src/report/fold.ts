import type { ConformanceReport, RootCause, Summary } from "./document.ts";
import type { AgentFound, ExchangeRecorded, Planned, RunEvent, RunFinished, RunStarted } from "./events.ts";
import { levelOf } from "./level.ts";
import { type CategoryMember, type ConformanceResult, categories } from "./result.ts";
import { isExamined } from "./verdict.ts";

/** All that is known of a run so far, gathered from its events. */
export class RunState {
  started: RunStarted | undefined;
  found: AgentFound | undefined;
  planned: Planned | undefined;
  finished: RunFinished | undefined;
  readonly results: ConformanceResult[] = [];
  readonly notes: string[] = [];
  workingMessages = 0;
  lastAt: string | undefined;

  take(event: RunEvent): void {
    switch (event.event) {
      case "run-started":
        this.started = event;
        this.lastAt = event.at;
        break;
      case "agent-found":
        this.found = event;
        break;
      case "planned":
        this.planned = event;
        break;
      case "check-finished":
        this.results.push(event.result);
        break;
      case "note":
        this.notes.push(event.text);
        break;
      case "exchange":
        this.#takeExchange(event);
        break;
      case "run-finished":
        this.finished = event;
        this.lastAt = event.at;
        break;
      case "check-started":
      case "estimated":
        break;
    }
  }

  #takeExchange({ entry, working }: ExchangeRecorded): void {
    if (working) this.workingMessages += 1;
    this.lastAt = new Date(Date.parse(entry.startedDateTime) + entry.time).toISOString();
  }
}

/** The report of a run: a fold over its events, whole or cut off. */
export function foldRun(events: Iterable<RunEvent>): ConformanceReport {
  const state = new RunState();
  for (const event of events) state.take(event);
  return reportOf(state);
}

export function reportOf(state: RunState): ConformanceReport {
  const { started, found, finished, planned } = state;
  if (!started) throw new TypeError("A run begins with run-started; this one does not.");
  const results = state.results.toSorted(inOrder);
  const { streaming, pushNotifications } = found?.capabilities ?? { streaming: false, pushNotifications: false };
  const { level, because } = finished?.message
    ? { level: null, because: finished.message }
    : levelOf({ results, streaming, pushNotifications });
  return {
    agentUrl: started.agentUrl,
    agentName: found?.name ?? "",
    agentVersion: found?.version ?? "",
    testDate: started.at,
    summary: summaryOf(results, planned?.withoutCheck ?? 0, finished?.workingMessages ?? state.workingMessages),
    categories: byCategory(results),
    conformanceLevel: level,
    levelBecause: because,
    run: started.run,
    tool: started.tool,
    ruleSet: started.ruleSet,
    depth: started.depth,
    strict: started.strict,
    ending: finished?.ending ?? "cut-off",
    ...(finished?.message !== undefined && { message: finished.message }),
    ...(finished?.hint !== undefined && { hint: finished.hint }),
    duration_ms: finished?.duration_ms ?? Date.parse(state.lastAt ?? started.at) - Date.parse(started.at),
    ...(found && { cardUrl: found.cardUrl, capabilities: found.capabilities }),
    interfaces: found?.interfaces ?? [],
    leftOut: found?.leftOut ?? [],
    rootCauses: rootCausesOf(results),
    notes: [...new Set(state.notes)],
  };
}

/** All results of a report, in the order of its categories. */
export const resultsOf = ({ categories: groups }: ConformanceReport): ConformanceResult[] =>
  Object.values(groups).flat();

/** By id, then as the interfaces were listed: the same agent gives the same report, whatever finished first. */
const inOrder = (a: ConformanceResult, b: ConformanceResult): number =>
  a.test === b.test ? (a.interface?.binding ?? "").localeCompare(b.interface?.binding ?? "") : a.test < b.test ? -1 : 1;

function byCategory(results: readonly ConformanceResult[]): ConformanceReport["categories"] {
  const members = Object.keys(categories) as CategoryMember[];
  const groups = members.map((member) => [member, results.filter((result) => result.category === categories[member])]);
  return Object.fromEntries(groups) as ConformanceReport["categories"];
}

function summaryOf(results: readonly ConformanceResult[], withoutCheck: number, workingMessages: number): Summary {
  const count = (holds: (result: ConformanceResult) => boolean): number => results.filter(holds).length;
  const rules = (holds: (result: ConformanceResult) => boolean): number =>
    new Set(results.filter(holds).map(({ test }) => test)).size;
  return {
    total: results.length,
    passed: count(({ status }) => status === "pass"),
    failed: count(({ status }) => status === "fail"),
    skipped: count(({ status }) => status === "skip"),
    warnings: count(({ warning }) => warning !== undefined),
    blocked: count(({ verdict }) => verdict === "blocked"),
    errors: count(({ verdict }) => verdict === "error"),
    applicable: rules(({ verdict }) => verdict !== "not-applicable"),
    examined: rules(({ verdict }) => isExamined(verdict)),
    workingMessages,
    expected: count(({ expected }) => expected !== undefined),
    withoutCheck,
  };
}

function rootCausesOf(results: readonly ConformanceResult[]): RootCause[] {
  const causes = new Map<string, RootCause>();
  const key = (test: string, { interface: on }: ConformanceResult): string => `${test} ${on?.binding} ${on?.url}`;
  for (const result of results) {
    if (result.verdict !== "blocked" || result.rootCause === undefined) continue;
    const id = key(result.rootCause, result);
    const known = causes.get(id);
    causes.set(id, {
      test: result.rootCause,
      message: known?.message ?? result.message ?? "",
      ...(result.interface && { interface: result.interface }),
      blocks: (known?.blocks ?? 0) + 1,
    });
  }
  return [...causes.values()].toSorted((a, b) => b.blocks - a.blocks);
}
