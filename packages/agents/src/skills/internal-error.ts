import { A2AError } from "@assay/protocol/core";
import { skill } from "../definition/skill.ts";

export const internalError = skill("internal-error", {
  name: "Internal error",
  description: "Returns an internal error (-32603) instead of a task.",
  tags: ["failure"],
  examples: ["internal-error"],

  // biome-ignore lint/correctness/useYield: the point is that it never gets there
  async *run() {
    throw new A2AError("Internal", "The agent breaks down on purpose");
  },
});
