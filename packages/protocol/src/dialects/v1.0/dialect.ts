import type { JsonObject, JsonValue } from "../../json.ts";
import { type Operation, operations } from "../../operations.ts";
import { type ReadResult, read } from "../../schemas/validate.ts";
import type { Dialect } from "../dialect.ts";
import { errorsOfDetails } from "../errors.ts";

/**
 * 1.0 is the canonical model: reading is validation plus the freedoms of ProtoJSON, writing is the identity, and
 * nothing is lost. Methods have the names of the operations.
 */
export const v10: Dialect = {
  version: "1.0",
  wire: "1.0",

  operationOf: (method) => (Object.hasOwn(operations, method) ? (method as Operation) : undefined),
  methodOf: (operation) => operation,

  readRequest: (operation, json) => read(operations[operation].request, json) as ReadResult<never>,
  writeRequest: (_operation, request) => request as unknown as JsonValue,

  readAnswer(operation, json) {
    const { answer } = operations[operation];
    // The response to a successful delete is unspecified: `{}`, `null` and an empty body all occur (AMB-13).
    if (answer === null) return { value: {} as never };
    return read(answer, json) as ReadResult<never>;
  },
  writeAnswer: (_operation, answer) => answer as unknown as JsonValue,

  readEvents(json) {
    const { value, violations } = read("StreamResponse", json);
    return violations ? { violations } : { value: [value] };
  },
  writeEvents: (event) => [event as unknown as JsonObject],

  readCard: (json) => read("AgentCard", json),
  writeCard: (card) => card as unknown as JsonObject,

  ...errorsOfDetails,
};
