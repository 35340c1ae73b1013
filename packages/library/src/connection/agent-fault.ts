import { AssayError } from "@assay/protocol/assay-error";

/** An error of the agent after which Assay cannot continue. */
export class AgentFault extends AssayError {
  override readonly name = "AgentFault";

  constructor(message: string, hint: string) {
    super({ code: "agent-fault", message, hint, exitCode: 1 });
  }
}
