import { type DialectVersion, isObject, type JsonObject, jsonIn, lintCard } from "@assay/protocol";
import { type ExchangeRecorded, foldRun, type RunEvent } from "@assay/suite/report";
import { cardChanges } from "./card/card-changes.ts";
import { cardForBoth, newCard } from "./card/new-card.ts";
import { byFate, type ClientSupport } from "./clients/client-support.ts";
import { errorPlans, operationPlans, trafficChanges } from "./operations.ts";
import type { CardPlan, UpgradePlan } from "./plan.ts";
import { sdkMigrations } from "./sdk-migrations.ts";
import { stepsFor } from "./steps.ts";
import { readExchange } from "./traffic/read-exchange.ts";
import { inOrderOf } from "./traffic/same-order.ts";
import { folded, sideRows } from "./traffic/side-rows.ts";
import { translateAll } from "./traffic/translate.ts";

/** Why there is no plan, and what to do. */
export interface NoPlan {
  readonly message: string;
  readonly hint: string;
}

const older = ["0.3", "0.2", "0.1"] as const;

/** Makes the plan from the events of a run. */
export function planOf(events: readonly RunEvent[], clients: readonly ClientSupport[]): UpgradePlan | NoPlan {
  const report = foldRun(events);
  const speaks = report.dialects
    .map(({ dialect }) => dialect as DialectVersion)
    .toSorted((a, b) => Number(b) - Number(a));
  if (report.ending !== "done")
    return {
      message: report.message ?? "The run did not complete, so there is no plan.",
      hint: report.hint ?? "Run the command again.",
    };
  const from = older.find((version) => speaks.includes(version));
  if (!from)
    return {
      message: `The agent at ${report.agentUrl} speaks only A2A 1.0.`,
      hint: `There is nothing to upgrade. Test it: assay test ${report.agentUrl} --dialect 1.0`,
    };
  const exchanges = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const cardUrl = report.dialects.find(({ dialect }) => dialect === from)?.cardUrl ?? report.cardUrl ?? "";
  const card = cardIn(exchanges, cardUrl);
  const cards = card && cardsOf(card, cardUrl, from);
  if (!cards)
    return {
      message: `Assay cannot read the card at ${cardUrl} as a card of A2A ${from}.`,
      hint: `Fix the card first: assay test ${report.agentUrl} --depth card`,
    };
  const recorded = exchanges.filter(({ interface: on }) => on?.dialect === from);
  const calls = translateAll(
    recorded.flatMap((exchange) => readExchange(exchange) ?? []),
    report.capabilities,
  );
  const interfaces = report.interfaces.filter(({ dialect }) => dialect === from);
  const migration = report.sdk && sdkMigrations[report.sdk.name];
  const facts = {
    agent: { name: report.agentName, version: report.agentVersion, url: report.agentUrl, cardUrl },
    speaks,
    from,
    ...(report.sdk && { sdk: { because: report.sdk.because, ...(migration && { migration }) } }),
    clients: byFate(clients),
  };
  return {
    format: "assay-upgrade-plan/1",
    tool: report.tool,
    run: report.run,
    at: report.testDate,
    ...facts,
    to: "1.0",
    messages: { sent: report.summary.workingMessages, announced: report.summary.plannedMessages },
    cards,
    changes: trafficChanges(calls),
    operations: operationPlans(calls, interfaces, from),
    errors: errorPlans(calls),
    steps: stepsFor(facts),
  };
}

/** Returns the card that the run fetched. */
function cardIn(exchanges: readonly ExchangeRecorded[], cardUrl: string): JsonObject | undefined {
  const cards = exchanges.flatMap(({ entry: { request, response } }) => {
    const json = request.url === cardUrl && response.status === 200 ? jsonIn(response.content.text) : undefined;
    return isObject(json) ? [json as JsonObject] : [];
  });
  // An agent of both versions may answer with either form.
  return cards.find((json) => json["url"] !== undefined) ?? cards[0];
}

const cardLines = (card: JsonObject): string[] => JSON.stringify(card, null, 2).split("\n");

function cardsOf(card: JsonObject, cardUrl: string, from: DialectVersion): UpgradePlan["cards"] | undefined {
  const [next, both] = [newCard(card, from), cardForBoth(card, from)];
  if (!next || !both) return undefined;
  const planned = (json: JsonObject): CardPlan => ({
    card: json,
    sides: folded(sideRows(cardLines(card), cardLines(inOrderOf(card, json) as JsonObject))),
    changes: cardChanges(card, json, cardUrl, from),
    toDo: lintCard(json)
      .filter(({ level }) => level === "error")
      .map(({ path, message, fix }) => `${path}: ${message}. ${fix}`),
  });
  return { next: planned(next), both: planned(both) };
}
