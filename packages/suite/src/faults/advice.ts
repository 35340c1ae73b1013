/**
 * The advice of `assay test --faults`: what an agent that copes badly does, and the fix. No sentence of the
 * specification requires it, so it never becomes a verdict. A mutant of the test bed does what `breaks` says.
 */
export const adviceRows = {
  "FAULT-001": {
    breaks: "The agent stops answering after a fault on the side of its client.",
    remedy: "Catch the error where it occurs, and end only the stream or request it belongs to.",
  },
  "FAULT-002": {
    breaks: "GetTask does not find a task whose streaming client disconnected.",
    remedy: "Keep the task when its stream closes, so that the client can read it with GetTask.",
  },
  "FAULT-003": {
    breaks: "A task stays in WORKING forever when its streaming client disconnects.",
    remedy: "Run the task independently of the connection, and store its final state.",
  },
  "FAULT-004": {
    breaks: "A failing webhook stops the notifications to the other webhooks of its task.",
    remedy: "Notify each webhook separately, and catch errors per webhook.",
  },
  "FAULT-005": {
    breaks: "A task fails because its webhook fails.",
    remedy: "Catch errors of notifications, so that they do not reach the task.",
  },
  "FAULT-006": {
    breaks: "A task waits for the response of a slow webhook.",
    remedy: "Send notifications outside the task, with a timeout of 10 to 30 seconds.",
  },
  "FAULT-007": {
    breaks: "A repeated messageId gets an internal error.",
    remedy: "For a known messageId, return the task it started or process the message again.",
  },
} as const;

export type AdviceId = keyof typeof adviceRows;

/** Advice for the agent under test, with what Assay saw. */
export interface Advice {
  readonly id: AdviceId;
  readonly saw: string;
}
