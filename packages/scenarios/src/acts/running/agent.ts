import type { OpenRun, Target, WebhookReceiver } from "@assay/suite";
import type { RunName } from "../reporting/outcome.ts";

/** An agent for scenarios: its card, and a target for each of its interfaces. */
export interface ActsAgent {
  readonly facts: Target["facts"];
  readonly targets: readonly Target[];
  readonly webhook: WebhookReceiver | undefined;
  /** the card as found */
  readonly card: OpenRun["card"];
}

/** Every open run counts its exchanges from one, so path and run make an id unique. */
export const exchangeName = (path: string | undefined, run: RunName, id: string): string =>
  [...(run === "main" ? [] : [run]), ...(path === undefined ? [] : [path]), id].join("/");

/** Converts an open run for scenarios: one target per binding, in its newest version. */
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
 * A target that can only read the found card again. It is used if the card has no usable interface, so that
 * tests about the card itself still run.
 */
export const cardReader = ({ card }: ActsAgent, binding: Target["on"]["binding"]): Target => {
  const reader: Pick<Target, "on" | "fetch" | "as"> = {
    on: { url: card.url, binding, dialect: "1.0" },
    fetch: async () => card.exchange,
    as: () => undefined,
  };
  return reader as Target;
};
