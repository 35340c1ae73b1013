import type { Category } from "@assay/suite/report";
import * as card from "./card-tests.ts";
import type { RunEvidence, StepVerdict } from "./evidence.ts";
import * as traffic from "./traffic-tests.ts";

/** A named test of the procedure: the rules whose results decide it, and the evidence that it reads itself. */
export interface ProcedureTest {
  /** the step of the procedure, as in "2.3" */
  readonly step: string;
  readonly test: string;
  readonly category: Category;
  readonly rules?: readonly string[];
  /**
   * The procedure is stricter than the specification in places: breaches with these codes fail the test although they
   * are warnings or remarks for the rule. `any` stands for every code.
   */
  readonly alsoFails?: "any" | readonly string[];
  /** reads the card, the traffic or the skills that were tried */
  readonly judge?: (evidence: RunEvidence) => readonly StepVerdict[];
  /** the recommendation for a failure that no rule has a remedy for */
  readonly fix: string;
}

const procedureTest = (
  step: string,
  test: string,
  category: Category,
  rest: Omit<ProcedureTest, "step" | "test" | "category">,
): ProcedureTest => ({ step, test, category, ...rest });

/** Breach codes of an agent that serves a request that it must refuse. */
const served = ["broken", "accepted"];

/** The tests of the procedure, in the order of the report. */
export const procedureTests: readonly ProcedureTest[] = [
  procedureTest("1.1", "agent-card-available", "agent-card", {
    rules: ["CARD-001", "V02-CARD-001"],
    judge: card.isAvailable,
    fix: "Serve the Agent Card under /.well-known with HTTP 200.",
  }),
  procedureTest("1.2", "agent-card-required-fields", "agent-card", {
    judge: card.hasRequiredFields,
    fix: "Add the missing members to the Agent Card.",
  }),
  procedureTest("1.3", "agent-card-skills", "agent-card", {
    judge: card.hasWholeSkills,
    fix: "Give each skill id, name, description, inputModes and outputModes.",
  }),
  procedureTest("1.4", "agent-card-authentication", "agent-card", {
    judge: card.explainsLogin,
    fix: "State tokenUrl for OAuth2 and the header name for an API key.",
  }),
  procedureTest("1.5", "agent-card-capabilities", "agent-card", {
    judge: card.hasBooleanCapabilities,
    fix: "Write each capability flag as true or false.",
  }),
  procedureTest("2.1", "task-submission", "lifecycle", {
    rules: ["SEND-001", "V01-SEND-001", "V01-SEND-003"],
    judge: traffic.skillsAreAnswered,
    fix: "Answer the first example of each skill with a task or a message.",
  }),
  procedureTest("2.2", "task-polling", "lifecycle", {
    rules: ["GET-001", "GET-005", "LIFE-001", "V01-LIFE-001"],
    judge: traffic.skillsEnd,
    fix: "Bring each task to a terminal state within the time limit (--task-timeout).",
  }),
  procedureTest("2.3", "cancel-task", "lifecycle", {
    rules: ["CANCEL-001", "CANCEL-005"],
    alsoFails: "any",
    fix: "Set the state of a canceled task to canceled, and keep it.",
  }),
  procedureTest("2.4", "input-required", "lifecycle", {
    rules: ["CTX-013"],
    fix: "Resume a task in input-required when its follow-up message arrives.",
  }),
  procedureTest("2.5", "state-transition-history", "lifecycle", {
    rules: ["V01-HIST-004"],
    alsoFails: "any",
    judge: traffic.showsHistory,
    fix: "Return at least two history entries for a completed task, or drop stateTransitionHistory from the card.",
  }),
  procedureTest("2.5", "history-length", "lifecycle", {
    rules: ["HIST-001", "HIST-002", "V01-HIST-001", "V01-HIST-002"],
    alsoFails: "any",
    fix: "Return no more history messages than historyLength asks for.",
  }),
  procedureTest("3.2", "sse-content-type", "streaming", {
    rules: ["STREAM-001", "JSONRPC-016"],
    fix: "Answer the streaming method with Content-Type: text/event-stream.",
  }),
  procedureTest("3.3", "sse-event-structure", "streaming", {
    rules: ["STREAM-008", "V01-STREAM-004", "V01-STREAM-006"],
    fix: "Send each SSE event with the members of its version.",
  }),
  procedureTest("3.4", "sse-first-event", "streaming", {
    judge: traffic.opensWithStatus,
    fix: "Open the stream with the task or its status, before any artifact.",
  }),
  procedureTest("3.4", "sse-final-event", "streaming", {
    rules: ["V01-STREAM-001", "V03-STREAM-004", "STREAM-005", "STREAM-006"],
    alsoFails: "any",
    fix: "End the stream with the terminal status; before 1.0, mark it final: true. Then close it.",
  }),
  procedureTest("3.4", "sse-nothing-after-final", "streaming", {
    rules: ["V01-STREAM-003", "V03-STREAM-005", "STREAM-007"],
    alsoFails: "any",
    fix: "Send no event after the terminal status.",
  }),
  procedureTest("3.5", "sse-disconnect", "streaming", {
    rules: ["V01-STREAM-008", "STREAM-013"],
    fix: "Keep the task when the client closes its stream.",
  }),
  procedureTest("4.1", "unknown-method", "error-handling", {
    rules: ["JSONRPC-006"],
    alsoFails: "any",
    fix: "Return error code -32601 for an unknown method.",
  }),
  procedureTest("4.2", "malformed-request", "error-handling", {
    rules: ["JSONRPC-008"],
    fix: "Return error code -32600 for JSON that is not a JSON-RPC request.",
  }),
  procedureTest("4.3", "get-nonexistent-task", "error-handling", {
    rules: ["GET-002", "V01-ERR-001"],
    alsoFails: served,
    fix: "Return an error (-32001) for an unknown task.",
  }),
  procedureTest("4.4", "cancel-completed-task", "error-handling", {
    rules: ["CANCEL-002", "V01-CANCEL-001"],
    alsoFails: served,
    fix: "Refuse to cancel a task that has ended, with error code -32002.",
  }),
  procedureTest("4.5", "authentication-required", "error-handling", {
    rules: ["AUTH-006", "AUTH-008"],
    alsoFails: "any",
    fix: "Answer a request without credentials with HTTP 401.",
  }),
  procedureTest("4.6", "agent-card-public", "error-handling", {
    judge: traffic.cardIsPublic,
    fix: "Serve the public Agent Card without authentication.",
  }),
  procedureTest("4", "server-keeps-running", "error-handling", {
    judge: traffic.survives,
    fix: "Handle the malformed request with an error response instead of a crash.",
  }),
  procedureTest("5.2", "push-notifications", "streaming", {
    rules: ["PUSH-005", "PUSH-010", "PUSH-020", "V01-PUSH-001", "V01-PUSH-002", "V01-PUSH-003"],
    judge: traffic.offersPush,
    fix: "Store push configurations and notify their webhooks, or declare pushNotifications: false.",
  }),
  ...(["discovers", "a-to-b", "b-to-a", "concurrent"] as const).map(
    (test): ProcedureTest => ({
      step: "5.5",
      test,
      category: "interop",
      judge: (evidence) => traffic.withPeer(evidence, test),
      fix: "Run assay interop with both agents: it shows the exchange that failed.",
    }),
  ),
];

/** Lists the rules that the procedure needs: what a run with --procedure examines. */
export const procedureRules: readonly string[] = [...new Set(procedureTests.flatMap(({ rules = [] }) => rules))];
