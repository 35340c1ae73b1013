import type { Message } from "@assay/protocol";
import type { Skill } from "../definition/skill.ts";

/** How the tests of another suite tell an agent what to do. */
export interface Convention {
  readonly suite: string;
  /** the skill that plays its agent, for messages that are meant for it */
  choose(message: Message): Skill | undefined;
}
