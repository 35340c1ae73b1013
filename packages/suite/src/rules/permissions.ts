/** The proof that no check accuses an agent of using a permission. */
export interface Permission {
  /** test bed agents and variants that use it in different ways: the proof runs the whole suite on them */
  readonly shownBy: readonly string[];
  readonly because: string;
}

/** Rules that only permit something. No agent can break them, but a check could wrongly accuse one. */
export const permissions: Readonly<Record<string, Permission>> = {
  "CARD-019": { shownBy: ["spec"], because: "JSON-RPC, HTTP+JSON and two versions share one URL" },
  "SIG-001": {
    shownBy: ["spec", "full", "variants/two-signatures"],
    because: "cards without a signature, with one and with two",
  },
  "XCARD-006": { shownBy: ["variants/card-by-rank"], because: "the extended card differs by caller" },
  "SEND-002": {
    shownBy: ["echo", "spec", "variants/moody"],
    because: "messages only, messages and tasks on request, or either at random",
  },
  "SEND-019": { shownBy: ["spec"], because: "slow tasks continue after the response to SendMessage" },
  "STREAM-014": {
    shownBy: ["spec", "variants/one-stream"],
    because: "a task has any number of streams, or one",
  },
  "HIST-005": { shownBy: ["spec", "variants/no-history"], because: "all of the history, or none of it" },
  "LIST-026": { shownBy: ["variants/short-pages"], because: "pages are shorter than requested, although more follow" },
  "CTX-003": {
    shownBy: ["spec", "variants/own-contexts"],
    because: "the agent accepts contexts of the client, or only its own",
  },
  "LIFE-006": {
    shownBy: ["variants/no-history", "variants/newest-first"],
    because: "the history has no messages, or all in another order",
  },
  "VER-012": { shownBy: ["spec", "secure"], because: "1.0 and 0.3 under one URL" },
  "TEN-007": { shownBy: ["full", "variants/odd-tenants"], because: "tenants are words, or other strings" },
  "AUTH-018": {
    shownBy: ["full", "secure", "variants/foreign-is-forbidden"],
    because: "all callers share their tasks, or each has its own, hidden or forbidden to others",
  },
  "INTASK-005": {
    shownBy: ["variants/goes-on-by-itself"],
    because: "the task continues as soon as the login has happened elsewhere",
  },
  "JSONRPC-027": { shownBy: ["variants/own-words"], because: "no error has the text that the specification shows" },
  "REST-026": {
    shownBy: ["spec"],
    because: "no operation by GET has a repeated or nested member that could be written either way",
  },
};
