import { A2AError } from "@assay/protocol/core";
import { skill } from "../definition/skill.ts";

export const invalidResponse = skill("invalid-response", {
  name: "Invalid response",
  description: "Returns the error for an invalid agent response (-32006; -32603 in 0.1, which has no such code).",
  tags: ["failure"],
  examples: ["invalid-response"],

  // biome-ignore lint/correctness/useYield: the point is that it never gets there
  async *run() {
    throw new A2AError("InvalidAgentResponse", "The agent made an invalid response on purpose");
  },
});
