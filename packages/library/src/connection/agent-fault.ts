import { AssayError } from "@assay/protocol/assay-error";

/** What the agent did wrong, where that leaves nothing to go on with. */
export class AgentFault extends AssayError {
  override readonly name = "AgentFault";

  constructor(message: string, hint: string) {
    super({ code: "agent-fault", message, hint, exitCode: 1 });
  }
}
