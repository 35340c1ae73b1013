import { type DialectVersion, isObject, type JsonObject, jsonIn, lintCard, newestFirst } from "@assay/protocol";
import { type ExchangeRecorded, foldRun, type InterfaceName, type RunEvent, resultsOf } from "@assay/suite/report";
import { cardChanges } from "./card/card-changes.ts";
import { cardForBoth, newCard } from "./card/new-card.ts";
import { byFate, type ClientSupport } from "./clients/client-support.ts";
import { errorPlans, operationPlans, trafficChanges } from "./operations.ts";
import type { CardPlan, UpgradePlan } from "./plan.ts";
import { sdkMigrations } from "./sdk-migrations.ts";
import { stepsFor } from "./steps.ts";
import { type Change, fixFor, possibleChanges } from "./traffic/changes.ts";
import { readExchange } from "./traffic/read-exchange.ts";
import { inOrderOf } from "./traffic/same-order.ts";
import { folded, sideRows } from "./traffic/side-rows.ts";
import { type TranslatedCall, translateAll } from "./traffic/translate.ts";

/** The reason why a run gives no plan, and the next step. */
export interface NoPlan {
  readonly message: string;
  readonly hint: string;
}

const older = ["0.3", "0.2", "0.1"] as const;

/** Makes the plan from the events of a run. */
export function planOf(events: readonly RunEvent[], clients: readonly ClientSupport[]): UpgradePlan | NoPlan {
  const report = foldRun(events);
  // The run tests only the version to upgrade from.
  const seen = [...report.dialects, ...report.leftOut.map((left) => left.interface)].map(({ dialect }) => dialect);
  const speaks = newestFirst.filter((version) => seen.includes(version));
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
  const fetched = cardIn(exchanges, cardUrl);
  const interfaces = report.interfaces.filter(({ dialect }) => dialect === from);
  const cards = fetched && cardsOf(fetched, { cardUrl, from }, interfaces);
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
  const bindings = interfaces.map(({ binding }) => binding);
  const forBindings = <Row extends Change>(rows: readonly Row[]): Row[] =>
    rows.map((row) => ({ ...row, fix: fixFor(row.id, bindings) }));
  const changes = forBindings(trafficChanges(calls));
  const known = new Set([...changes.map(({ id }) => id), ...(calls.some(hasTime) ? ["timestamp"] : [])]);
  const unsent = calls.some(isAcceptedMessage)
    ? undefined
    : resultsOf(report).find(({ test, verdict }) => test === "SEND-001" && verdict === "not-examined")?.message;
  const migration = report.sdk && sdkMigrations[report.sdk.name];
  const facts = {
    agent: { name: report.agentName, version: report.agentVersion, url: report.agentUrl, cardUrl },
    speaks,
    from,
    ...(report.sdk && { sdk: { because: report.sdk.because, ...(migration && { migration }) } }),
    clients: byFate(clients, from),
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
    changes,
    unseen: forBindings(possibleChanges(from, bindings, report.capabilities?.pushNotifications ?? true)).filter(
      ({ id }) => !known.has(id),
    ),
    ...(unsent !== undefined && { unsent }),
    operations: operationPlans(calls, interfaces, from, {
      capabilities: report.capabilities,
      called: new Set(recorded.flatMap(({ operation }) => operation ?? [])),
    }),
    errors: errorPlans(calls),
    steps: stepsFor({ ...facts, bindings, showsTask: calls.some(hasTask) }),
  };
}

const isAcceptedMessage = ({ call: { operation }, error }: TranslatedCall): boolean =>
  !error && (operation === "SendMessage" || operation === "SendStreamingMessage");

const hasTask = ({ response: { next } }: TranslatedCall): boolean =>
  JSON.stringify([next.body, next.events]).includes('"TASK_STATE_');

/** Recognises traffic with times. They are right today if they need no change. */
const hasTime = ({ response: { today } }: TranslatedCall): boolean =>
  JSON.stringify([today.body, today.events]).includes('"timestamp":');

interface FetchedCard {
  readonly card: JsonObject;
  /** the names of the headers, in lower case */
  readonly headers: readonly string[];
}

/** Returns the card that the run fetched. */
function cardIn(exchanges: readonly ExchangeRecorded[], cardUrl: string): FetchedCard | undefined {
  const cards = exchanges.flatMap(({ entry: { request, response } }) => {
    const json = request.url === cardUrl && response.status === 200 ? jsonIn(response.content.text) : undefined;
    const headers = response.headers.map(({ name }) => name.toLowerCase());
    return isObject(json) ? [{ card: json as JsonObject, headers }] : [];
  });
  // An agent of both versions may return a card of either form.
  return cards.find(({ card }) => card["url"] !== undefined) ?? cards[0];
}

/** Members that a card needs in each version, and that some agents omit. The new card has them empty. */
const required = ["description", "version"];

const cardLines = (card: JsonObject): string[] => JSON.stringify(card, null, 2).split("\n");

function cardsOf(
  { card, headers }: FetchedCard,
  { cardUrl, from }: { readonly cardUrl: string; readonly from: DialectVersion },
  served: readonly InterfaceName[],
): UpgradePlan["cards"] | undefined {
  const [next, both] = [newCard(card, from), cardForBoth(card, from, served)];
  if (!next || !both) return undefined;
  const planned = (json: JsonObject): CardPlan => ({
    card: json,
    sides: folded(sideRows(cardLines(card), cardLines(inOrderOf(card, json) as JsonObject))),
    changes: cardChanges(card, json, { cardUrl, from, headers }),
    toDo: [
      ...required
        .filter((name) => card[name] === undefined)
        .map((name) => `$.${name}: the card of today has none. Write it: 1.0 requires it.`),
      ...lintCard(json)
        .filter(({ level }) => level === "error")
        .map(({ path, message, fix }) => `${path}: ${message}. ${fix}`),
    ],
  });
  return { next: planned(next), both: planned(both) };
}
