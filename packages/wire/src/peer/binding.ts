import type { JsonObject, JsonValue, Operation } from "@assay/protocol";
import type { RequestSpec } from "../client/request-spec.ts";
import type { HttpResponse } from "../recording/exchange.ts";
import type { Envelope } from "./envelope.ts";

/** How one binding puts a call on HTTP and reads what comes back. */
export interface PeerBinding {
  request(url: string, operation: Operation, params: JsonObject): RequestSpec;
  read(response: HttpResponse): Envelope;
  readEvent(json: JsonValue): Envelope;
}
