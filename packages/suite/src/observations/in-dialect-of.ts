import { randomUUID } from "node:crypto";
import { type JsonObject, type Operation, type RequestOf, startExchange } from "@assay/protocol";
import { dialectFor } from "@assay/wire";
import type { Target } from "../define/target.ts";

/** A request of 1.0 as the version of an interface writes it: to be spoilt, and sent as it is (`literal`). */
export function inDialectOf({ on }: Pick<Target, "on">, operation: Operation, params: JsonObject): JsonObject {
  const dialect = on.dialect === "1.0" ? undefined : dialectFor(on.binding, on.dialect);
  if (!dialect) return params;
  // What checks hand in here is in order, and what a codec of ours writes is JSON.
  const request = params as unknown as RequestOf<Operation>;
  return dialect.writeRequest(operation, request, startExchange(randomUUID)) as JsonObject;
}
