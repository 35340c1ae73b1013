import { reply, skill } from "../definition/skill.ts";

/** Listed on the extended card only. */
export const adminStatus = skill("admin-status", {
  name: "Admin status",
  description: "Reports that the agent is healthy. Listed only on the extended card, for authenticated callers.",
  tags: ["admin"],
  examples: ["admin-status"],

  async *run() {
    yield reply("[admin-status] All is well.");
  },
});
