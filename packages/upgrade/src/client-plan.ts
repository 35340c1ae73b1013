import { type DialectVersion, newestFirst, type Operation } from "@assay/protocol";
import { type ConformanceReport, type ExchangeRecorded, foldRun, type RunEvent } from "@assay/suite/report";
import type { PlanPage } from "@assay/viewer/documents";
import { operationPlans, trafficChanges } from "./operations.ts";
import type { OperationPlan, TrafficChange } from "./plan.ts";
import { heading, list, operationBlocks, table, text, trafficTable } from "./plan-page.ts";
import { fixForClient } from "./traffic/changes.ts";
import { readExchange } from "./traffic/read-exchange.ts";
import { translateAll } from "./traffic/translate.ts";

/** The calls of a client today, and in the form that an agent of 1.0 alone needs. */
export interface ClientPlan {
  readonly format: "assay-upgrade-client/1";
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: string;
  /** ISO 8601 */
  readonly at: string;
  readonly command: string;
  /** by version: the number of calls that the agent answered with a result */
  readonly speaks: readonly { readonly version: DialectVersion; readonly accepted: number }[];
  /** the client works with an agent that speaks only 1.0 */
  readonly isReady: boolean;
  readonly changes: readonly TrafficChange[];
  readonly operations: readonly OperationPlan[];
  /** the reasons why the run does not show everything: it did not complete, or a situation in 1.0 did not */
  readonly incomplete: readonly string[];
  /** rules of 1.0 that the client breaks when it speaks 1.0 */
  readonly broken: readonly { readonly rule: string; readonly message: string; readonly fix: string }[];
}

/** Makes the plan from the events of a client run that offers every version alone. */
export function clientPlanOf(events: readonly RunEvent[]): ClientPlan {
  const report = foldRun(events);
  const accepted = (version: DialectVersion): number =>
    (report.situations ?? [])
      .filter(({ interface: on }) => on?.dialect === version)
      .reduce((sum, situation) => sum + (situation.accepted ?? 0), 0);
  const speaks = newestFirst
    .map((version) => ({ version, accepted: accepted(version) }))
    .filter((each) => each.accepted);
  const older = speaks.find(({ version }) => version !== "1.0")?.version;
  const exchanges = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const own = exchanges.filter(({ interface: on }) => on?.dialect === older);
  const calls = translateAll(own.flatMap((exchange) => readExchange(exchange) ?? []));
  const interfaces = own.flatMap(({ interface: on }) => on ?? []);
  const used = new Set<Operation>(calls.map(({ call }) => call.operation));
  const broken = Object.values(report.categories)
    .flat()
    .filter(({ verdict, dialect }) => verdict === "fail" && dialect === "1.0")
    .map(({ test, message, title, remedy }) => ({ rule: test, message: message ?? title, fix: remedy ?? "" }));
  const incomplete = incompleteIn(report);
  return {
    format: "assay-upgrade-client/1",
    tool: report.tool,
    run: report.run,
    at: report.testDate,
    command: report.agentUrl,
    speaks,
    isReady: speaks.some(({ version }) => version === "1.0") && broken.length === 0 && incomplete.length === 0,
    changes: older ? trafficChanges(calls).flatMap(forClient) : [],
    operations: older
      ? operationPlans(calls, interfaces, older)
          .filter(({ operation }) => used.has(operation))
          // The plan of a client does not list changes of the agent.
          .map((each) => ({ ...each, behaviour: [] }))
      : [],
    incomplete,
    broken,
  };
}

/** Replaces the advice for agents. */
function forClient(change: TrafficChange): TrafficChange[] {
  const fix = fixForClient(change.id);
  return fix === undefined ? [] : [{ ...change, fix }];
}

/** The simplest situation: one message. */
const plainest = "send";

/** Returns what the run does not show about a client of 1.0. */
function incompleteIn({ ending, message, situations = [] }: ConformanceReport): string[] {
  const newer = situations.filter(({ interface: on, ended }) => on?.dialect === "1.0" && ended !== "declined");
  const unended = newer.filter(({ ended }) => ended !== "done");
  const isSent = newer.some(({ situation, accepted = 0 }) => situation === plainest && accepted > 0);
  return [
    ...(ending === "done" ? [] : [message ?? "The run did not complete."]),
    ...unended.map(({ situation, ended }) => `${situation}: ${unendedText[ended as keyof typeof unendedText]}`),
    ...(isSent || newer.length === 0 ? [] : [`${plainest}: no agent of 1.0 accepted the message`]),
  ];
}

const unendedText = {
  "time-over": "the command did not end in time",
  "not-started": "the command did not start",
} as const;

/** Lays a plan out for terminal, Markdown and page. */
export function clientPlanPage(plan: ClientPlan, isRecorded: boolean): PlanPage {
  const { command, speaks, isReady, changes, operations, incomplete, broken, run } = plan;
  const spoken = speaks.map(({ version }) => `A2A ${version}`).join(" and ");
  return {
    title: isReady
      ? "The client is ready for agents that speak only 1.0"
      : "The client is not ready for agents that speak only 1.0",
    answer: `${speaks.length ? `It speaks ${spoken}.` : "No agent accepted its calls."}${isRecorded ? ` Recording ${run}.` : ""}`,
    blocks: [
      ...table(
        ["Client", command],
        speaks.map(({ version, accepted }) => [`A2A ${version}`, `${accepted} accepted calls`]),
      ),
      ...(isReady ? [text("An agent that serves only 1.0 can replace the older one.")] : []),
      ...(incomplete.length ? [heading("Not completed"), list(incomplete)] : []),
      ...(broken.length
        ? [heading("Broken rules in 1.0"), list(broken.map(({ rule, message, fix }) => `${rule}: ${message}. ${fix}`))]
        : []),
      ...(speaks.length === 0
        ? [text("Run `assay client` with the same command to see why each call was rejected.")]
        : []),
      ...(changes.length
        ? [
            heading("What changes in the traffic"),
            ...(isReady
              ? []
              : [
                  text(
                    "The card of 1.0 has no url. Choose an entry of supportedInterfaces by its protocolBinding and protocolVersion, and call its url (§8.3.2).",
                  ),
                ]),
            ...trafficTable(changes),
            heading("Calls, today and in 1.0"),
            ...operations.flatMap(operationBlocks),
          ]
        : []),
    ],
  };
}
