import type { Lab, OpenSitting, WebhookReceiver } from "@assay/suite";
import type { RunName } from "../reporting/outcome.ts";

/** An agent at the table: what its card says, and a lab for each of its interfaces. */
export interface ActsAgent {
  readonly facts: Lab["facts"];
  readonly labs: readonly Lab[];
  readonly webhook: WebhookReceiver | undefined;
  /** the card as it was found */
  readonly card: OpenSitting["card"];
}

/** Every sitting counts its exchanges from one: with the place in front, an id names one in the whole run. */
export const exchangeName = (path: string | undefined, run: RunName, id: string): string =>
  [...(run === "main" ? [] : [run]), ...(path === undefined ? [] : [path]), id].join("/");

/** A sitting as this runner sees it: one lab for each binding, in the newest version that is spoken there. */
export function agentOf({ labs, visits, webhook, card }: OpenSitting): ActsAgent {
  const facts = visits[0]!.facts;
  const newest = labs.filter(
    ({ on }, index) => labs.findIndex((other) => other.on.binding === on.binding && isNewest(other, labs)) === index,
  );
  return { facts, labs: newest, webhook, card };
}

const isNewest = ({ on }: Lab, labs: readonly Lab[]): boolean =>
  !labs.some((other) => other.on.binding === on.binding && other.on.dialect > on.dialect);

/**
 * One who can do nothing but read the card again that was found: where the card names no interface that can be spoken to,
 * there is no lab, and what a test says about the card itself is to be examined all the same.
 */
export const cardReader = ({ card }: ActsAgent, binding: Lab["on"]["binding"]): Lab => {
  const reader: Pick<Lab, "on" | "fetch" | "as"> = {
    on: { url: card.url, binding, dialect: "1.0" },
    fetch: async () => card.exchange,
    as: () => undefined,
  };
  return reader as Lab;
};
