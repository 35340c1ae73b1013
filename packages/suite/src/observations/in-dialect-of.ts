import { randomUUID } from "node:crypto";
import { type JsonObject, type Operation, type RequestOf, startExchange } from "@assay/protocol";
import { dialectFor } from "@assay/wire";
import type { Target } from "../define/target.ts";

/** Writes a request of 1.0 in the version of an interface, to be modified and sent as it is (`literal`). */
export function inDialectOf({ on }: Pick<Target, "on">, operation: Operation, params: JsonObject): JsonObject {
  const dialect = on.dialect === "1.0" ? undefined : dialectFor(on.binding, on.dialect);
  if (!dialect) return params;
  // Checks pass valid requests here, and the codecs of Assay write JSON.
  const request = params as unknown as RequestOf<Operation>;
  return dialect.writeRequest(operation, request, startExchange(randomUUID)) as JsonObject;
}
