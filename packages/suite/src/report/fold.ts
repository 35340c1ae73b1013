import type { LearnedPrompt } from "../stimuli/learned.ts";
import { causeFinder } from "./cause.ts";
import { clientConclusion, clientDialects, clientInterfaces } from "./client-outcome.ts";
import type { ConformanceReport, DialectReport, PartyReport, RootCause, Scope, Summary } from "./document.ts";
import type {
  AgentFound,
  ExchangeRecorded,
  LeftOut,
  LifecycleSeen,
  Planned,
  RunEvent,
  RunFinished,
  RunStarted,
  SdkRecognised,
  SituationFinished,
  SpokenDialect,
  VersionsCompared,
} from "./events.ts";
import { fingerprinted } from "./fingerprint.ts";
import { fixFirstOf } from "./fix-first.ts";
import { type Conclusion, conclusionOf, worstOf } from "./outcome.ts";
import {
  type CategoryMember,
  type ConformanceResult,
  categories,
  type InterfaceName,
  interfaceKey,
  ruleKey,
} from "./result.ts";
import { type AgentSdk, withSdk } from "./sdk-faults.ts";
import { isExamined, type Unexamined } from "./verdict.ts";

/** The state of a run, collected from its events. */
export class RunState {
  started: RunStarted | undefined;
  found: AgentFound | undefined;
  planned: Planned | undefined;
  learned: readonly LearnedPrompt[] | undefined;
  sdk: SdkRecognised | undefined;
  finished: RunFinished | undefined;
  readonly results: ConformanceResult[] = [];
  readonly notes: string[] = [];
  readonly lifecycle: LifecycleSeen[] = [];
  readonly compared: Omit<VersionsCompared, "event">[] = [];
  readonly situations: Omit<SituationFinished, "event">[] = [];
  workingMessages = 0;
  lastAt: string | undefined;
  readonly #places = new Map<string, number>();

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
      case "learned":
        this.learned = event.prompts;
        break;
      case "check-finished":
        this.#takeResult(event.result);
        break;
      case "lifecycle-seen":
        this.lifecycle.push(event);
        break;
      case "sdk-recognised":
        this.sdk = event;
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
      case "situation-finished": {
        const { event: _event, ...situation } = event;
        this.situations.push(situation);
        break;
      }
      case "situation-started":
      case "check-started":
      case "estimated":
      case "observing":
      case "observed":
      case "skill-tried":
      case "peer-tried":
        break;
      case "versions-compared":
        this.compared.push(comparedOf(event));
        break;
    }
  }

  /** A later result about the same rule and interface is more severe, and replaces the earlier one. */
  #takeResult(result: ConformanceResult): void {
    // Results of two agents together stay apart from the results of the agent alone.
    const place = `${ruleKey(result)} ${interfaceKey(result.interface)} ${result.party ?? ""} ${result.category}`;
    const known = this.#places.get(place);
    if (known !== undefined) this.results[known] = result;
    else this.#places.set(place, this.results.push(result) - 1);
  }

  #takeExchange({ entry, working }: ExchangeRecorded): void {
    if (working) this.workingMessages += 1;
    // Exchanges overlap and are recorded when they end, so the last one recorded need not be the last to end.
    const end = Date.parse(entry.startedDateTime) + entry.time;
    if (this.lastAt === undefined || end > Date.parse(this.lastAt)) this.lastAt = new Date(end).toISOString();
  }
}

/** Makes the report of a complete or interrupted run from its events. */
export function foldRun(events: Iterable<RunEvent>): ConformanceReport {
  const state = new RunState();
  for (const event of events) state.take(event);
  return reportOf(state);
}

export function reportOf(state: RunState): ConformanceReport {
  const { started, found, finished, planned } = state;
  if (!started) throw new TypeError("The first event of a run must be run-started, and this run has another one.");
  const isClient = started.subject === "client";
  const interfaces = isClient ? clientInterfaces(state.results) : (found?.interfaces ?? []);
  const named = fingerprinted(state.results.toSorted(inOrder(interfaces)), interfaces);
  const results = withSdk(named, state.sdk, {
    dialects: (found?.dialects ?? []).map(({ dialect }) => dialect),
    ignore: started.ignoreKnownSdk ?? false,
  });
  const { outcome, level, because } = isClient ? clientConclusion(state, results) : conclusionOfRun(state, results);
  const spoken = isClient ? clientDialects(results) : (found?.dialects ?? []);
  const groups = byCategory(results);
  return {
    agentUrl: started.agentUrl,
    agentName: found?.name ?? "",
    agentVersion: found?.version ?? "",
    testDate: started.at,
    subject: started.subject ?? "agent",
    summary: summaryOf(results, planned, {
      // A resumed run includes the traffic of the earlier run.
      sent: finished ? finished.workingMessages + (started.resumes?.workingMessages ?? 0) : state.workingMessages,
      sentBefore: started.resumes?.workingMessages ?? 0,
    }),
    categories: groups,
    ...(started.subject === "pair" && { parties: partiesOf(results) }),
    outcome,
    scope: scopeOf(started),
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
    duration_ms: durationOf(state, started),
    ...(found && { cardUrl: found.cardUrl, capabilities: found.capabilities }),
    ...(found?.cardDigest !== undefined && { cardDigest: found.cardDigest }),
    dialects: spoken.map((each) => ({ ...each, ...concluded(state, each, results) })),
    interfaces,
    leftOut: found?.leftOut ?? [],
    ...(state.sdk && { sdk: sdkOf(state.sdk) }),
    rootCauses: rootCausesOf(results),
    fixFirst: fixFirstOf({ categories: groups, subject: started.subject ?? "agent" }),
    notes: [...new Set(state.notes)],
    ...(finished?.slowedDown && { slowedDown: finished.slowedDown }),
    ...(state.learned?.length && { learned: state.learned }),
    ...(state.compared.length && { comparedVersions: state.compared }),
    ...(state.situations.length && { situations: state.situations }),
    ...(started.redacted && { redacted: true }),
    ...(started.resumes && { resumes: started.resumes }),
  };
}

const comparedOf = ({ event: _, ...compared }: VersionsCompared): Omit<VersionsCompared, "event"> => compared;

const sdkOf = ({ event: _, ...sdk }: SdkRecognised): AgentSdk => sdk;

/** Returns the time until the last known event, including that of the run it resumes. */
const durationOf = ({ finished, lastAt }: RunState, { at, resumes }: RunStarted): number =>
  (resumes?.duration_ms ?? 0) + (finished?.duration_ms ?? Math.max(0, Date.parse(lastAt ?? at) - Date.parse(at)));

/** Only a run of the whole rule set can have a level. */
const scopeOf = ({ depth, filtered, subject }: RunStarted): Scope =>
  subject === "gateway"
    ? subject
    : subject === "pair"
      ? "traffic"
      : filtered
        ? "filtered"
        : depth === "card" || depth === "free"
          ? depth
          : "everything";

function partiesOf(results: readonly ConformanceResult[]): NonNullable<ConformanceReport["parties"]> {
  const of = (party: ConformanceResult["party"]): PartyReport => {
    const own = results.filter((result) => result.party === party);
    const failed = own.filter(({ verdict }) => verdict === "fail");
    const examined = new Set(own.filter(({ verdict }) => isExamined(verdict)).map(ruleKey)).size;
    const isBroken = failed.some(({ disputed }) => !disputed);
    return {
      outcome: isBroken ? "not-conformant" : examined ? "conformant" : "inconclusive",
      examined,
      failed: failed.length,
      warnings: own.filter(({ warning }) => warning !== undefined).length,
    };
  };
  return { agent: of(undefined), client: of("client") };
}

/** Concludes the run. Versions that the agent does not declare count only if it declares none. */
function conclusionOfRun(state: RunState, results: readonly ConformanceResult[]): Conclusion {
  // Recorded traffic and gateways are judged as one, without versions.
  if (state.started?.subject === "pair" || state.started?.subject === "gateway")
    return conclusionIn(state, results, undefined);
  const spoken = state.found?.dialects ?? [];
  const declared = spoken.filter((each) => each.declared);
  const claimed = declared.length ? declared : spoken;
  // With a few rules, the versions that have them decide. With the card alone, the versions with a result about it
  // decide.
  const counts = answersFor[scopeOf(state.started!)];
  const concerned = counts
    ? claimed.filter(({ dialect }) => results.some((each) => each.dialect === dialect && counts(each)))
    : [];
  const counted = concerned.length ? concerned : claimed;
  return counted.length
    ? worstOf(counted.map(({ dialect }) => conclusionIn(state, results, dialect)))
    : conclusionIn(state, results, undefined);
}

/** Selects the results by which a version counts in a run of this scope. In other scopes every version counts. */
const answersFor: Partial<Record<Scope, (result: ConformanceResult) => boolean>> = {
  card: ({ verdict }) => isExamined(verdict) || verdict === "error",
  filtered: ({ verdict, unexamined }) => verdict !== "not-applicable" && unexamined !== "filter",
};

function conclusionIn(
  { started, found, finished, lifecycle }: RunState,
  results: readonly ConformanceResult[],
  dialect: string | undefined,
): Conclusion {
  const { streaming = false, pushNotifications = false } = found?.capabilities ?? {};
  const isOf = (version: string): boolean => dialect === undefined || version === dialect;
  return conclusionOf({
    ending: finished?.ending ?? "cut-off",
    message: finished?.message,
    scope: scopeOf(started!),
    results: results.filter((result) => isOf(result.dialect)),
    answers: lifecycle.filter(({ interface: on }) => isOf(on.dialect)).map(({ answer }) => answer),
    streaming,
    pushNotifications,
    untested: untestedOf(found, results).filter((on) => isOf(on.dialect)).length,
    unseen: unseenOf(found, results)
      .filter(({ interface: on }) => isOf(on.dialect))
      .map(({ interface: on, because }) => `nothing examined over ${on.binding} at ${on.url}: ${because}`),
  });
}

/**
 * Returns the interfaces that Assay could not test and that the operator did not exclude: those left out, and those
 * without any result.
 */
function untestedOf(found: AgentFound | undefined, results: readonly ConformanceResult[]): InterfaceName[] {
  const forced = (found?.leftOut ?? []).filter((left) => left.forced).map(({ interface: on }) => on);
  const keysOf = (some: readonly ConformanceResult[]) => new Set(some.map(({ interface: on }) => interfaceKey(on)));
  const asked = keysOf(results);
  const examined = keysOf(results.filter(({ verdict }) => isExamined(verdict)));
  const silent = (found?.interfaces ?? []).filter(
    (on) => asked.has(interfaceKey(on)) && !examined.has(interfaceKey(on)),
  );
  return [...forced, ...silent];
}

/**
 * Reasons that block a whole interface and are neither a fault of the agent nor a choice of the operator. A blocked
 * host or missing credentials are not among them, because the operator can change those with a flag.
 */
const inTheWay: ReadonlySet<Unexamined | undefined> = new Set(["unstable", "login", "payment"]);

/**
 * Returns the supported interfaces without any result: a dead address, or a server that rejects everything. Results of
 * other interfaces say nothing about them.
 */
function unseenOf(
  found: AgentFound | undefined,
  results: readonly ConformanceResult[],
): Pick<LeftOut, "interface" | "because">[] {
  return (found?.interfaces ?? []).flatMap((on) => {
    const here = results.filter((result) => interfaceKey(result.interface) === interfaceKey(on));
    if (here.some(({ verdict }) => isExamined(verdict) || verdict === "blocked")) return [];
    const obstacle = here.find(({ verdict, unexamined }) => verdict === "error" || inTheWay.has(unexamined));
    return obstacle ? [{ interface: on, because: obstacle.message ?? obstacle.title }] : [];
  });
}

/** Concludes the run for one tested version. */
function concluded(
  state: RunState,
  { dialect }: SpokenDialect,
  results: readonly ConformanceResult[],
): Pick<DialectReport, "outcome" | "conformanceLevel" | "levelBecause"> {
  const { outcome, level, because } =
    state.started?.subject === "client"
      ? clientConclusion(
          {
            ...state,
            situations: state.situations.filter(({ interface: on }) => on === undefined || on.dialect === dialect),
          },
          results.filter((result) => result.dialect === dialect),
        )
      : conclusionIn(state, results, dialect);
  return { outcome, conformanceLevel: level, levelBecause: because };
}

/** Sorts by id, then by interface, so that the same agent always gives the same report. */
function inOrder(interfaces: readonly InterfaceName[]): (a: ConformanceResult, b: ConformanceResult) => number {
  const places = new Map(interfaces.map((on, index) => [interfaceKey(on), index]));
  const placeOf = ({ interface: on }: ConformanceResult): number =>
    on ? (places.get(interfaceKey(on)) ?? interfaces.length) : -1;
  return (a, b) =>
    compare(a.test, b.test) ||
    placeOf(a) - placeOf(b) ||
    compare(b.dialect, a.dialect) ||
    compare(interfaceKey(a.interface), interfaceKey(b.interface));
}

/** Compares by code unit, independent of the locale. */
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Groups results as a report does. */
export function byCategory(results: readonly ConformanceResult[]): ConformanceReport["categories"] {
  const members = Object.keys(categories) as CategoryMember[];
  const groups = members.map((member) => [member, results.filter((result) => result.category === categories[member])]);
  return Object.fromEntries(groups) as ConformanceReport["categories"];
}

function summaryOf(
  results: readonly ConformanceResult[],
  planned: Planned | undefined,
  { sent, sentBefore }: { readonly sent: number; readonly sentBefore: number },
): Summary {
  const count = (holds: (result: ConformanceResult) => boolean): number => results.filter(holds).length;
  // Every version has its own rules, even if a rule shares its id with one of another version.
  const rules = (holds: (result: ConformanceResult) => boolean): number =>
    new Set(results.filter(holds).map(ruleKey)).size;
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
    workingMessages: sent,
    plannedMessages: planned ? planned.workingMessages + sentBefore : sent,
    expected: count(({ expected }) => expected !== undefined),
    withoutCheck: planned?.withoutCheck ?? 0,
  };
}

function rootCausesOf(results: readonly ConformanceResult[]): RootCause[] {
  const causeOf = causeFinder(results);
  const causes = new Map<string, RootCause>();
  for (const result of results) {
    if (result.verdict !== "blocked" || result.rootCause === undefined) continue;
    // A failure of the card blocks every interface and still counts as one.
    const { interface: on, message, dialect } = causeOf(result) ?? result;
    const id = `${result.rootCause} ${dialect} ${interfaceKey(on)}`;
    const known = causes.get(id);
    causes.set(id, {
      test: result.rootCause,
      dialect,
      message: known?.message ?? message ?? "",
      ...(on && { interface: on }),
      blocks: (known?.blocks ?? 0) + 1,
    });
  }
  return [...causes.values()].toSorted((a, b) => b.blocks - a.blocks);
}
