import type { Test } from "@assay/scenarios";

/** Whether a scenario looks at the card and at nothing else. */
export const readsCardOnly = ({ steps }: Test): boolean =>
  steps.every((step) => step.is === "operation" && step.operation === "get_agent_card");
