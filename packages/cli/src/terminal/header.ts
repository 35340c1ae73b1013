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

/** Shows the agent, its address and the cost of the run. */
export function headerOf({ run, estimate }: Progress, colors: Screen["colors"]): string[] {
  const { started, found, planned } = run;
  if (started?.subject === "client")
    return [`${colors.bold(escapeText(started.agentUrl))}   client, rules ${started.ruleSet}`];
  if (!started || !found) return [];
  if (started.subject === "gateway") {
    const name = `${colors.bold(escapeText(found.name))}   ${escapeText(started.agentUrl)}`;
    const offer = `${offerOf(found.interfaces)}. Depth ${started.depth}`;
    if (!planned?.workingMessages) return [name, `${offer}. An agent of Assay answers.`];
    const compared = `Compared with the agent whose card is at ${escapeText(found.cardUrl)}.`;
    return [name, `${offer}: ${priceOf(planned)}.`, compared];
  }
  const lines = [
    `${colors.bold(`${escapeText(found.name)} ${escapeText(found.version)}`.trim())}   ${escapeText(started.agentUrl)}`,
    `Card found at ${placeOf(found.cardUrl, started.agentUrl)}: ${offerOf(found.interfaces)}, ${canOf(found.capabilities)}.`,
    ...versionsOf(found.dialects).map(escapeText),
    ...notTested(found.leftOut),
  ];
  if (planned) {
    // A fast agent needs no time estimate.
    const time =
      estimate && estimate.totalMs >= 2_000
        ? `, about ${duration(estimate.totalMs)} (the first message took ${duration(estimate.perMessageMs)})`
        : "";
    lines.push(`Depth ${started.depth}: ${priceOf(planned)}${time}.`, ...contactLines(planned));
  }
  return lines;
}

/** Returns the cost of a run: "up to 8 messages (each may be a model call and cost money)". */
export function priceOf({ workingMessages, ifAccepted }: Pick<Planned, "workingMessages" | "ifAccepted">): string {
  if (workingMessages) {
    const each = workingMessages === 1 ? "it" : "each";
    return `up to ${plural(workingMessages, "message")} (${each} may be a model call and cost money)`;
  }
  return ifAccepted ? "0 messages, or at most 1 per interface if the agent accepts a malformed one" : "0 messages";
}

/** Announces third-party addresses before the run; only `--rude` sends them. */
export const contactLines = ({ contacts = [] }: Pick<Planned, "contacts">): string[] =>
  contacts.length ? [`With --rude, messages tell the agent to fetch ${listed(contacts)}.`] : [];

/** Explains which interfaces Assay cannot test. It gives at most three reasons, because a card may list any number. */
const notTested = (leftOut: AgentFound["leftOut"]): string[] =>
  [...new Set(leftOut.filter(({ forced }) => forced).map(({ because }) => because))]
    .slice(0, 3)
    .map((because) => `Not tested: ${escapeText(because)}.`);

/** Explains how Assay detected the versions of the agent, unless the card simply declares 1.0. */
const versionsOf = (dialects: readonly SpokenDialect[]): string[] =>
  isPlainlyNew(dialects) ? [] : [`Tested in ${listed(dialects.map(knownBy))}.`];

/** Returns a version: "0.3 (the endpoint knows message/send; not on the card: it never causes a failure)". */
const knownBy = ({ dialect, because, declared }: SpokenDialect): string =>
  `${dialect} (${because}${declared ? "" : "; not on the card: it never causes a failure"})`;

/** Returns only the path if the host is the one that the user named. */
function placeOf(cardUrl: string, agentUrl: string): string {
  if (!URL.canParse(cardUrl) || !URL.canParse(agentUrl)) return escapeText(cardUrl);
  const card = new URL(cardUrl);
  return escapeText(card.host === new URL(agentUrl).host ? card.pathname : cardUrl);
}

/** Returns the tested interfaces: "1.0 over JSON-RPC and HTTP+JSON, 0.3 over JSON-RPC". */
function offerOf(interfaces: readonly InterfaceName[]): string {
  const dialects = [...new Set(interfaces.map(({ dialect }) => dialect))];
  const offers = dialects.map((dialect) => {
    const bindings = interfaces.filter((each) => each.dialect === dialect).map(({ binding }) => bindingName(binding));
    return `${dialect} over ${listed([...new Set(bindings)])}`;
  });
  return escapeText(offers.join(", ") || "no interface that Assay supports");
}

const canOf = ({ streaming, pushNotifications }: { streaming: boolean; pushNotifications: boolean }): string =>
  `${streaming ? "streaming" : "no streaming"}, ${pushNotifications ? "push" : "no push"}`;
