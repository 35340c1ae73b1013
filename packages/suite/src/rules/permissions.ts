/** The proof that no check accuses an agent of using a permission. */
export interface Permission {
  /** test bed agents and variants that use it in different ways: the proof runs the whole suite on them */
  readonly shownBy: readonly string[];
  readonly because: string;
}

const permission = (shownBy: readonly string[], because: string): Permission => ({ shownBy, because });

/** Rules that only permit something. No agent can break them, but a check could wrongly accuse one. */
export const permissions: Readonly<Record<string, Permission>> = {
  "CARD-019": permission(["spec"], "JSON-RPC, HTTP+JSON and two versions share one URL"),
  "SIG-001": permission(
    ["spec", "full", "variants/two-signatures"],
    "cards without a signature, with one and with two",
  ),
  "XCARD-006": permission(["variants/card-by-rank"], "the extended card differs by caller"),
  "SEND-002": permission(
    ["echo", "spec", "variants/moody"],
    "messages only, messages and tasks on request, or either at random",
  ),
  "SEND-019": permission(["spec"], "slow tasks continue after the response to SendMessage"),
  "STREAM-014": permission(["spec", "variants/one-stream"], "a task has any number of streams, or one"),
  "HIST-005": permission(["spec", "variants/no-history"], "all of the history, or none of it"),
  "LIST-026": permission(["variants/short-pages"], "pages are shorter than requested, although more follow"),
  "CTX-003": permission(["spec", "variants/own-contexts"], "the agent accepts contexts of the client, or only its own"),
  "LIFE-006": permission(
    ["variants/no-history", "variants/newest-first"],
    "the history has no messages, or all in another order",
  ),
  "VER-012": permission(["spec", "secure"], "1.0 and 0.3 under one URL"),
  "TEN-007": permission(["full", "variants/odd-tenants"], "tenants are words, or other strings"),
  "AUTH-018": permission(
    ["full", "secure", "variants/foreign-is-forbidden"],
    "all callers share their tasks, or each has its own, hidden or forbidden to others",
  ),
  "INTASK-005": permission(
    ["variants/goes-on-by-itself"],
    "the task continues as soon as the login has happened elsewhere",
  ),
  "JSONRPC-027": permission(["variants/own-words"], "no error has the text that the specification shows"),
  "REST-026": permission(
    ["spec"],
    "no operation by GET has a repeated or nested member that could be written either way",
  ),
};
