import {
  type AgentFound,
  bindingName,
  type InterfaceName,
  isPlainlyNew,
  type Planned,
  type Progress,
  type SpokenDialect,
} from "@assay/suite/report";
import { duration, listed, plural } from "../phrases.ts";
import { escapeText } from "./escape.ts";
import type { Screen } from "./screen.ts";

/** Who is tested, how it is reached, and what it will cost. */
export function headerOf({ run, estimate }: Progress, colors: Screen["colors"]): string[] {
  const { started, found, planned } = run;
  if (started?.subject === "client")
    return [`${colors.bold(escapeText(started.agentUrl))}   a client, judged by the rules ${started.ruleSet}`];
  if (!started || !found) return [];
  const lines = [
    `${colors.bold(`${escapeText(found.name)} ${escapeText(found.version)}`.trim())}   ${escapeText(started.agentUrl)}`,
    `Card found at ${placeOf(found.cardUrl, started.agentUrl)}: ${offerOf(found.interfaces)}, ${canOf(found.capabilities)}.`,
    ...versionsOf(found.dialects).map(escapeText),
    ...notTested(found.leftOut),
  ];
  if (planned) {
    // An agent that answers at once needs no warning about the time.
    const time =
      estimate && estimate.totalMs >= 2_000
        ? `, about ${duration(estimate.totalMs)} at the ${duration(estimate.perMessageMs)} the first one took`
        : "";
    lines.push(`Depth ${started.depth}: ${priceOf(planned)}${time}.`, ...contactLines(planned));
  }
  return lines;
}

/** "up to 8 messages (each may be a model call and cost money)" */
export function priceOf({ workingMessages, ifAccepted }: Pick<Planned, "workingMessages" | "ifAccepted">): string {
  if (workingMessages) {
    const each = workingMessages === 1 ? "it" : "each";
    return `up to ${plural(workingMessages, "message")} (${each} may be a model call and cost money)`;
  }
  return ifAccepted ? "0 messages, at most 1 per interface if a malformed one is accepted" : "0 messages";
}

/** Before the run, since these addresses are not the agent's: only `--rude` has them sent. */
export const contactLines = ({ contacts = [] }: Pick<Planned, "contacts">): string[] =>
  contacts.length ? [`With --rude, messages tell the agent to fetch ${listed(contacts)}.`] : [];

/** What could not be tested by no choice of the operator; a card may list any number of such interfaces. */
const notTested = (leftOut: AgentFound["leftOut"]): string[] =>
  [...new Set(leftOut.filter(({ forced }) => forced).map(({ because }) => because))]
    .slice(0, 3)
    .map((because) => `Not tested: ${escapeText(because)}.`);

/** How it is known which versions the agent speaks, where it does not go without saying. */
const versionsOf = (dialects: readonly SpokenDialect[]): string[] =>
  isPlainlyNew(dialects) ? [] : [`Tested in ${listed(dialects.map(knownBy))}.`];

/** "0.3 (the endpoint knows message/send; its card does not say so, and nothing fails by it)" */
const knownBy = ({ dialect, because, declared }: SpokenDialect): string =>
  `${dialect} (${because}${declared ? "" : "; its card does not say so, and nothing fails by it"})`;

/** The path where the host is the one the user named anyway. */
function placeOf(cardUrl: string, agentUrl: string): string {
  if (!URL.canParse(cardUrl) || !URL.canParse(agentUrl)) return escapeText(cardUrl);
  const card = new URL(cardUrl);
  return escapeText(card.host === new URL(agentUrl).host ? card.pathname : cardUrl);
}

/** "1.0 over JSON-RPC and HTTP+JSON, 0.3 over JSON-RPC" */
function offerOf(interfaces: readonly InterfaceName[]): string {
  const dialects = [...new Set(interfaces.map(({ dialect }) => dialect))];
  const offers = dialects.map((dialect) => {
    const bindings = interfaces.filter((each) => each.dialect === dialect).map(({ binding }) => bindingName(binding));
    return `${dialect} over ${listed([...new Set(bindings)])}`;
  });
  return escapeText(offers.join(", ") || "no interface that we speak");
}

const canOf = ({ streaming, pushNotifications }: { streaming: boolean; pushNotifications: boolean }): string =>
  `${streaming ? "streaming" : "no streaming"}, ${pushNotifications ? "push" : "no push"}`;
