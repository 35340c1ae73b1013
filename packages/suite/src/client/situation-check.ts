import type { Binding, DialectVersion } from "@assay/protocol";
import type { Declaration, Findings } from "../define/check.ts";
import type { CommandOutcome, SituationEnding } from "../report/events.ts";
import type { AgentOffer, ClientRequest } from "./client-request.ts";
import type { Situation, SituationId } from "./situations.ts";

/** One version over one binding that a client can speak. */
export interface SpokenInterface {
  readonly dialect: DialectVersion;
  readonly binding: Binding;
}

/** A notification that Assay sent to the webhook of a client. */
export interface SentNotification {
  /** sent as the agent would, sent twice, or not to be trusted */
  readonly as: "genuine" | "repeated" | "forged" | "foreign" | "old";
  /** the text that a client prints if it trusts the notification */
  readonly text: string;
  /** the id of the task that it names, if no such task exists */
  readonly foreignTask?: string;
  /** the client registered a token or authentication */
  readonly guarded: boolean;
  /** the HTTP status of the webhook; absent if Assay could not reach it */
  readonly status?: number;
}

/** Everything that Assay saw of a client in a situation. Checks judge by nothing else. */
export interface SituationSeen {
  readonly situation: Situation;
  readonly agent: AgentOffer;
  /** everything it sent, in order, over all runs of its command */
  readonly requests: readonly ClientRequest[];
  /** the requests in the control of the situation, if Assay ran it first over the same interface */
  readonly inControl?: readonly ClientRequest[];
  readonly ended: SituationEnding;
  /** how long nothing passed between client and agent before the time limit; absent if the client ended before it */
  readonly quietMs?: number;
  /** empty if Assay did not run a command */
  readonly runs: readonly CommandOutcome[];
  /** the client is known to print responses: otherwise missing output proves nothing */
  readonly prints: boolean;
  /** the notifications sent to its webhook */
  readonly notifications: readonly SentNotification[];
  /** how often it connected to a server with an untrusted certificate and left without a request */
  readonly distrusted: number;
  /** the interfaces that the client is known to support */
  readonly speaks: readonly SpokenInterface[];
}

/** A check of clients: a pure function of the client's behaviour in a situation. */
export interface SituationCheck extends Declaration {
  readonly kind: "client-situation";
  /** the situations that show it */
  readonly in: readonly SituationId[];
  readonly judge: (seen: SituationSeen) => Findings | undefined;
}

export const situationCheck = (id: string, check: Omit<SituationCheck, "id" | "kind">): SituationCheck => ({
  kind: "client-situation",
  id,
  ...check,
});
