/** The behaviours that a known message can trigger. */
export const promptKinds = [
  /** answered with a task that ends by itself */
  "task",
  /** answered with a message and no task */
  "message",
  /** streamed: a task with an artifact, in chunks where the agent can */
  "stream",
  /** a task that works for some seconds and can be cancelled */
  "slow",
  "inputRequired",
  "authRequired",
  "failure",
  "rejected",
  /** a task with a file in an artifact */
  "file",
  /** a task with a file in an artifact that is given by its address */
  "fileUrl",
  /** a task with structured data in an artifact */
  "data",
  /** the answer when the agent asks for input */
  "followUp",
] as const;
export type PromptKind = (typeof promptKinds)[number];
