import type { Category } from "@assay/suite/report";
import * as card from "./card-tests.ts";
import type { RunEvidence, StepVerdict } from "./evidence.ts";
import * as traffic from "./traffic-tests.ts";

/** One named test of the procedure: the rules whose results decide it, and what it reads itself. */
export interface ProcedureTest {
  /** the step of the procedure, as in "2.3" */
  readonly step: string;
  readonly test: string;
  readonly category: Category;
  readonly rules?: readonly string[];
  /**
   * The procedure is stricter than the specification in places: breaches with these codes fail the test although they are
   * warnings or remarks for the rule. `any` stands for every code.
   */
  readonly alsoFails?: "any" | readonly string[];
  /** reads the card, the traffic or the skills that were tried */
  readonly judge?: (evidence: RunEvidence) => readonly StepVerdict[];
  /** the recommendation for a failure that no rule has a remedy for */
  readonly fix: string;
}

/** The agent serves a request that it must refuse. */
const served = ["broken", "accepted"];

/** The procedure, step by step. The order is that of the report. */
export const procedureTests: readonly ProcedureTest[] = [
  {
    step: "1.1",
    test: "agent-card-available",
    category: "agent-card",
    rules: ["CARD-001", "V02-CARD-001"],
    judge: card.isAvailable,
    fix: "Serve the Agent Card under /.well-known with HTTP 200.",
  },
  {
    step: "1.2",
    test: "agent-card-required-fields",
    category: "agent-card",
    judge: card.hasRequiredFields,
    fix: "Add the missing members to the Agent Card.",
  },
  {
    step: "1.3",
    test: "agent-card-skills",
    category: "agent-card",
    judge: card.hasWholeSkills,
    fix: "Give each skill id, name, description, inputModes and outputModes.",
  },
  {
    step: "1.4",
    test: "agent-card-authentication",
    category: "agent-card",
    judge: card.explainsLogin,
    fix: "State tokenUrl for OAuth2 and the header name for an API key.",
  },
  {
    step: "1.5",
    test: "agent-card-capabilities",
    category: "agent-card",
    judge: card.hasBooleanCapabilities,
    fix: "Write each capability flag as true or false.",
  },
  {
    step: "2.1",
    test: "task-submission",
    category: "lifecycle",
    rules: ["SEND-001", "V01-SEND-001", "V01-SEND-003"],
    judge: traffic.skillsAreAnswered,
    fix: "Answer the first example of each skill with a task or a message.",
  },
  {
    step: "2.2",
    test: "task-polling",
    category: "lifecycle",
    rules: ["GET-001", "GET-005", "LIFE-001", "V01-LIFE-001"],
    judge: traffic.skillsEnd,
    fix: "Bring each task to a terminal state within the time limit (--task-timeout).",
  },
  {
    step: "2.3",
    test: "cancel-task",
    category: "lifecycle",
    rules: ["CANCEL-001", "CANCEL-005"],
    alsoFails: "any",
    fix: "Set the state of a canceled task to canceled, and keep it.",
  },
  {
    step: "2.4",
    test: "input-required",
    category: "lifecycle",
    rules: ["CTX-013"],
    fix: "Resume a task in input-required when its follow-up message arrives.",
  },
  {
    step: "2.5",
    test: "state-transition-history",
    category: "lifecycle",
    rules: ["V01-HIST-004"],
    alsoFails: "any",
    judge: traffic.showsHistory,
    fix: "Return at least two history entries for a completed task, or drop stateTransitionHistory from the card.",
  },
  {
    step: "2.5",
    test: "history-length",
    category: "lifecycle",
    rules: ["HIST-001", "HIST-002", "V01-HIST-001", "V01-HIST-002"],
    alsoFails: "any",
    fix: "Return no more history messages than historyLength asks for.",
  },
  {
    step: "3.2",
    test: "sse-content-type",
    category: "streaming",
    rules: ["STREAM-001", "JSONRPC-016"],
    fix: "Answer the streaming method with Content-Type: text/event-stream.",
  },
  {
    step: "3.3",
    test: "sse-event-structure",
    category: "streaming",
    rules: ["STREAM-008", "V01-STREAM-004", "V01-STREAM-006"],
    fix: "Send each SSE event with the members of its version.",
  },
  {
    step: "3.4",
    test: "sse-first-event",
    category: "streaming",
    judge: traffic.opensWithStatus,
    fix: "Open the stream with the task or its status, before any artifact.",
  },
  {
    step: "3.4",
    test: "sse-final-event",
    category: "streaming",
    rules: ["V01-STREAM-001", "V03-STREAM-004", "STREAM-005", "STREAM-006"],
    alsoFails: "any",
    fix: "End the stream with the terminal status; before 1.0, mark it final: true. Then close it.",
  },
  {
    step: "3.4",
    test: "sse-nothing-after-final",
    category: "streaming",
    rules: ["V01-STREAM-003", "V03-STREAM-005", "STREAM-007"],
    alsoFails: "any",
    fix: "Send no event after the terminal status.",
  },
  {
    step: "3.5",
    test: "sse-disconnect",
    category: "streaming",
    rules: ["V01-STREAM-008", "STREAM-013"],
    fix: "Keep the task when the client closes its stream.",
  },
  {
    step: "4.1",
    test: "unknown-method",
    category: "error-handling",
    rules: ["JSONRPC-006"],
    alsoFails: "any",
    fix: "Return error code -32601 for an unknown method.",
  },
  {
    step: "4.2",
    test: "malformed-request",
    category: "error-handling",
    rules: ["JSONRPC-008"],
    fix: "Return error code -32600 for JSON that is not a JSON-RPC request.",
  },
  {
    step: "4.3",
    test: "get-nonexistent-task",
    category: "error-handling",
    rules: ["GET-002", "V01-ERR-001"],
    alsoFails: served,
    fix: "Return an error (-32001) for an unknown task.",
  },
  {
    step: "4.4",
    test: "cancel-completed-task",
    category: "error-handling",
    rules: ["CANCEL-002", "V01-CANCEL-001"],
    alsoFails: served,
    fix: "Refuse to cancel a task that has ended, with error code -32002.",
  },
  {
    step: "4.5",
    test: "authentication-required",
    category: "error-handling",
    rules: ["AUTH-006", "AUTH-008"],
    alsoFails: "any",
    fix: "Answer a request without credentials with HTTP 401.",
  },
  {
    step: "4.6",
    test: "agent-card-public",
    category: "error-handling",
    judge: traffic.cardIsPublic,
    fix: "Serve the public Agent Card without authentication.",
  },
  {
    step: "4",
    test: "server-keeps-running",
    category: "error-handling",
    judge: traffic.survives,
    fix: "Handle the malformed request with an error response instead of a crash.",
  },
  {
    step: "5.2",
    test: "push-notifications",
    category: "streaming",
    rules: ["PUSH-005", "PUSH-010", "PUSH-020", "V01-PUSH-001", "V01-PUSH-002", "V01-PUSH-003"],
    judge: traffic.offersPush,
    fix: "Store push configurations and notify their webhooks, or declare pushNotifications: false.",
  },
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
