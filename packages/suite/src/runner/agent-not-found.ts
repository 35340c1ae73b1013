import type { RunEnding } from "../report/events.ts";

/** There is no agent to ask: what happened, and what to do. */
export class AgentNotFound extends Error {
  override readonly name = "AgentNotFound";
  readonly ending: RunEnding;
  readonly hint: string;

  constructor(ending: RunEnding, message: string, hint: string) {
    super(message);
    this.ending = ending;
    this.hint = hint;
  }
}
