import { type AgentCard, type Dialect, v02 } from "@assay/protocol";
import type { DecodedRequest } from "./binding.ts";
import { methodNotAllowed } from "./rest.ts";
import { RestV03Binding } from "./rest-v0.3.ts";

/**
 * 0.2 has no operation for its extended card: a GET at its path has no parameters and returns the card
 * itself.
 */
const cardAlone: Dialect = {
  ...v02,
  readRequest: () => ({ value: {} as never }),
  writeAnswer: (_operation, answer) => v02.writeCard(answer as unknown as AgentCard),
};

/** Serves the extended card of 0.2: a plain GET without extensions. Errors have the format of 0.3. */
export class ExtendedCardV02Binding extends RestV03Binding {
  override get dialect(): Dialect {
    return cardAlone;
  }

  override async read(): Promise<DecodedRequest> {
    const { context, head } = this;
    const { definition, admission } = context.host;
    const operation = "GetExtendedAgentCard";
    context.operation = operation;
    const caller = await admission.authenticate(head, definition);
    if (head.method !== "GET") throw methodNotAllowed(head.method, ["GET"]);
    return { operation, json: {}, caller, extensions: [] };
  }
}
