import type { Binding, DialectVersion } from "@assay/protocol";
import type { Declaration, Findings } from "../define/check.ts";
import type { CommandOutcome, SituationEnding } from "../report/events.ts";
import type { AgentOffer, ClientRequest } from "./client-request.ts";
import type { Situation, SituationId } from "./situations.ts";

/** One version over one binding: what a client can speak. */
export interface SpokenInterface {
  readonly dialect: DialectVersion;
  readonly binding: Binding;
}

/** A notification that the webhook of a client was sent. */
export interface SentNotification {
  /** as the agent would send it, the same a second time, or one that is not to be believed */
  readonly as: "genuine" | "repeated" | "forged" | "foreign" | "old";
  /** what a client prints that believes it */
  readonly text: string;
  /** the client registered a token or authentication */
  readonly guarded: boolean;
  /** what the webhook answered; absent where it could not be reached */
  readonly status?: number;
}

/** What was seen of a client in a situation: all that a check may judge by. */
export interface SituationSeen {
  readonly situation: Situation;
  readonly agent: AgentOffer;
  /** everything it sent, in order, over all runs of its command */
  readonly requests: readonly ClientRequest[];
  /** what it sent in the control of the situation, where that was made with the same interface first */
  readonly inControl?: readonly ClientRequest[];
  readonly ended: SituationEnding;
  /** empty where it was not run by a command of ours */
  readonly runs: readonly CommandOutcome[];
  /** it is known to print what it is answered with: without that, nothing can be said about what it does not print */
  readonly prints: boolean;
  /** what its webhook was sent */
  readonly notifications: readonly SentNotification[];
  /** how often it came to a server whose certificate it had no reason to trust, and left without a word */
  readonly distrusted: number;
  /** what it is known to speak */
  readonly speaks: readonly SpokenInterface[];
}

/** About clients: a pure function of what a client did in a situation. */
export interface SituationCheck extends Declaration {
  readonly kind: "client-situation";
  /** the situations that show it */
  readonly in: readonly SituationId[];
  readonly judge: (seen: SituationSeen) => Findings | undefined;
}

export const situationCheck = (check: Omit<SituationCheck, "kind">): SituationCheck => ({
  kind: "client-situation",
  ...check,
});
