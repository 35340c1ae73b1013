import type { OpenRun, Target, WebhookReceiver } from "@assay/suite";
import type { RunName } from "../reporting/outcome.ts";

/** An agent that scenarios are run on: what its card says, and a target for each of its interfaces. */
export interface ActsAgent {
  readonly facts: Target["facts"];
  readonly targets: readonly Target[];
  readonly webhook: WebhookReceiver | undefined;
  /** the card as it was found */
  readonly card: OpenRun["card"];
}

/** Every open run counts its exchanges from one: with path and run in front, an id names one among all of them. */
export const exchangeName = (path: string | undefined, run: RunName, id: string): string =>
  [...(run === "main" ? [] : [run]), ...(path === undefined ? [] : [path]), id].join("/");

/** An open run as scenarios see it: one target for each binding, in the newest version that is spoken there. */
export function agentOf({ targets, versions, webhook, card }: OpenRun): ActsAgent {
  const facts = versions[0]!.facts;
  const newest = targets.filter(
    ({ on }, index) =>
      targets.findIndex((other) => other.on.binding === on.binding && isNewest(other, targets)) === index,
  );
  return { facts, targets: newest, webhook, card };
}

const isNewest = ({ on }: Target, targets: readonly Target[]): boolean =>
  !targets.some((other) => other.on.binding === on.binding && other.on.dialect > on.dialect);

/**
 * A target that can do nothing but read the card again that was found: where the card names no interface that can be
 * spoken to, there is no other, and what a test says about the card itself is to be examined all the same.
 */
export const cardReader = ({ card }: ActsAgent, binding: Target["on"]["binding"]): Target => {
  const reader: Pick<Target, "on" | "fetch" | "as"> = {
    on: { url: card.url, binding, dialect: "1.0" },
    fetch: async () => card.exchange,
    as: () => undefined,
  };
  return reader as Target;
};
