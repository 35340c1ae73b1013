import { isObject, type JsonObject, type JsonValue, type Operation } from "@assay/protocol";
import type { Behaviour } from "./plan.ts";
import type { TranslatedCall } from "./traffic/translate.ts";

interface BehaviourRow {
  readonly operations: readonly Operation[];
  readonly rule: string;
  readonly text: string;
  /** what a call shows of it; undefined if it shows nothing */
  readonly see?: (call: TranslatedCall) => { readonly today: string; readonly isMet: boolean } | undefined;
}

const sends: readonly Operation[] = ["SendMessage", "SendStreamingMessage"];

/** Requirements of 1.0 that a translated response does not show. A test compares the ids with the rules. */
const rows: readonly BehaviourRow[] = [
  {
    operations: ["SendMessage"],
    rule: "SEND-010",
    text: "SendMessage waits until the task has ended or needs input, unless returnImmediately is true.",
  },
  {
    operations: ["SendMessage"],
    rule: "SEND-008",
    text: "A message to an ended task is rejected with UnsupportedOperationError (-32004).",
    see: toEndedTask,
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-016",
    text: "A message to an ended task is rejected with UnsupportedOperationError (-32004).",
    see: toEndedTask,
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-003",
    text: "A stream begins with the task, or is exactly one message.",
    see: ({ response: { next }, error }) => {
      const first = next.events?.[0];
      if (error || first === undefined) return undefined;
      const member = memberOf(first);
      return member === undefined
        ? undefined
        : { today: `The stream begins with ${member}.`, isMet: member === "task" || member === "message" };
    },
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-005",
    text: "The stream closes when the task ends. Nothing says final any more.",
  },
  {
    operations: ["SubscribeToTask"],
    rule: "SUB-001",
    text: "A subscription begins with the current task.",
    see: ({ response: { next }, error }) => {
      const first = next.events?.[0];
      const member = error || first === undefined ? undefined : memberOf(first);
      return member === undefined
        ? undefined
        : { today: `The subscription begins with ${member}.`, isMet: member === "task" };
    },
  },
  {
    operations: ["SubscribeToTask"],
    rule: "SUB-003",
    text: "A subscription to an ended task is rejected with UnsupportedOperationError (-32004).",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-001",
    text: "ListTasks is new, and every agent has it: pages, newest first, only tasks of the caller.",
  },
  {
    operations: ["CancelTask"],
    rule: "CANCEL-002",
    text: "CancelTask rejects an ended task with TaskNotCancelableError (-32002).",
    see: ({ error }) =>
      error && error.kind !== "TaskNotFound"
        ? { today: `The agent answers with ${error.kind}.`, isMet: error.kind === "TaskNotCancelable" }
        : undefined,
  },
  {
    operations: ["CreateTaskPushNotificationConfig"],
    rule: "PUSH-022",
    text: "Webhooks get one StreamResponse each: {task}, {message}, {statusUpdate} or {artifactUpdate}, not a bare task or event.",
  },
  {
    operations: ["CreateTaskPushNotificationConfig"],
    rule: "PUSH-005",
    text: "The response is the stored configuration with its id, flat.",
  },
  {
    operations: ["GetExtendedAgentCard"],
    rule: "XCARD-001",
    text: "An agent without an extended card answers with UnsupportedOperationError (-32004).",
  },
];

/** Returns the requirements for an operation, with what its calls show. */
export const behaviourOf = (operation: Operation, calls: readonly TranslatedCall[]): Behaviour[] =>
  rows
    .filter(({ operations }) => operations.includes(operation))
    .map(({ rule, text, see }) => {
      const seen = calls.flatMap((call) => see?.(call) ?? []);
      // One call that breaks it is worth more than several that do not.
      return { rule, text, ...(seen.find(({ isMet }) => !isMet) ?? seen[0]) };
    });

/** Every rule of the table. */
export const behaviourRules: readonly string[] = rows.map(({ rule }) => rule);

function toEndedTask({ call, error, response }: TranslatedCall): ReturnType<NonNullable<BehaviourRow["see"]>> {
  // The translation replaces the error, so that it fits 1.0.
  if (!sends.includes(call.operation) || error?.kind !== "UnsupportedOperation") return undefined;
  const isMet = JSON.stringify(response.today.body).includes("-32004");
  return { today: `The agent answers with ${isMet ? "this error" : "another error"}.`, isMet };
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];

function memberOf(event: JsonValue): string | undefined {
  if (!isObject(event)) return undefined;
  const content = isObject(event["result"]) ? (event["result"] as JsonObject) : event;
  return members.find((name) => name in content);
}
