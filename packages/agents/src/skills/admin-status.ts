import { reply, skill } from "../definition/skill.ts";

/** Listed on the extended card only. */
export const adminStatus = skill({
  id: "admin-status",
  name: "Admin status",
  description: "Says that the agent is well; only those who authenticate learn of this skill.",
  tags: ["admin"],
  examples: ["admin-status"],

  async *run() {
    yield reply("[admin-status] All is well.");
  },
});
