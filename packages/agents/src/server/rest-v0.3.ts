import { randomUUID } from "node:crypto";
import {
  type A2AError,
  type Dialect,
  matchRouteV03,
  readQueryV03,
  restStatusV03,
  startExchange,
  v03Proto,
  writeRestErrorV03,
} from "@assay/protocol";
import type { DecodedRequest, Encode } from "./binding.ts";
import { errorHeaders } from "./failure.ts";
import { methodNotAllowed, nothingAt, RestBinding, readBody } from "./rest.ts";

/** HTTP+JSON of 0.3: writes ProtoJSON of `a2a.v1` and reads all three spellings. */
export class RestV03Binding extends RestBinding {
  override get dialect(): Dialect {
    return v03Proto;
  }

  protected override get contentType(): string {
    return "application/json";
  }

  override async read(): Promise<DecodedRequest> {
    const { context, head } = this;
    const caller = await context.host.admission.authenticate(head, context.host.definition);
    const match = matchRouteV03(head.method, this.path);
    if (!match) throw nothingAt(head.method, this.path);
    if ("allowed" in match) throw methodNotAllowed(head.method, match.allowed);
    const { operation, members } = match;
    context.operation = operation;
    const given = head.method === "POST" ? await readBody(head) : readQueryV03(operation, head.query);
    return { operation, json: { ...given, ...members }, caller, exchange: startExchange(randomUUID) };
  }

  protected override sendError(error: A2AError, encode: Encode): void {
    const { headers } = this.context;
    const all = { "Content-Type": this.contentType, ...headers, ...errorHeaders(error, this.refused) };
    const body = encode(JSON.parse(writeRestErrorV03(error)));
    this.reply.send(restStatusV03(error), all, JSON.stringify(body));
  }
}
