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
  "XCARD-006": { shownBy: ["variants/card-by-rank"], because: "the extended card differs by who asks for it" },
  "SEND-002": { shownBy: ["echo", "spec", "variants/moody"], because: "messages alone, both as asked, both by mood" },
  "SEND-019": { shownBy: ["spec"], because: "slow tasks go on when the send has been answered" },
  "STREAM-014": {
    shownBy: ["spec", "variants/one-stream"],
    because: "a task has as many streams as are asked for, or one",
  },
  "HIST-005": { shownBy: ["spec", "variants/no-history"], because: "all of the history, or none of it" },
  "LIST-026": { shownBy: ["variants/short-pages"], because: "pages are shorter than asked for, although more follow" },
  "CTX-003": {
    shownBy: ["spec", "variants/own-contexts"],
    because: "contexts of the client are taken, or only those that the agent gave out",
  },
  "LIFE-006": {
    shownBy: ["variants/no-history", "variants/newest-first"],
    because: "no message is in the history, or all in another order",
  },
  "VER-012": { shownBy: ["spec", "secure"], because: "1.0 and 0.3 under one URL" },
  "TEN-007": { shownBy: ["full", "variants/odd-tenants"], because: "tenants are words, or anything but words" },
  "AUTH-018": {
    shownBy: ["full", "secure", "variants/foreign-is-forbidden"],
    because: "all callers share their tasks, or each has its own, hidden or forbidden to others",
  },
  "INTASK-005": {
    shownBy: ["variants/goes-on-by-itself"],
    because: "the task goes on as soon as the login has taken place elsewhere",
  },
  "JSONRPC-027": { shownBy: ["variants/own-words"], because: "no error has the words that the specification shows" },
  "REST-026": {
    shownBy: ["spec"],
    because: "no operation by GET has a repeated or nested member that could be written either way",
  },
};
