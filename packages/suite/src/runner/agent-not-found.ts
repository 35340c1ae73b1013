import { AssayError } from "@assay/protocol/assay-error";
import type { RunEnding } from "../report/events.ts";

/** No agent was found: what happened, and what to do. */
export class AgentNotFound extends AssayError {
  readonly ending: RunEnding;

  constructor(ending: RunEnding, message: string, hint: string) {
    super({ code: "agent-not-found", message, hint });
    this.ending = ending;
  }
}
