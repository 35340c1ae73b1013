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
import type { WireReply, WireRequest } from "@assay/wire/server";
import type { DecodedRequest, Encode } from "./binding.ts";
import { errorHeaders } from "./failure.ts";
import { HttpBinding } from "./http-binding.ts";
import type { RequestContext } from "./request-context.ts";
import { methodNotAllowed, nothingAt, readBody } from "./rest.ts";

/** HTTP+JSON of 0.3: ProtoJSON of `a2a.v1` is written, all three spellings are read. */
export class RestV03Binding extends HttpBinding {
  readonly #path: string;

  constructor(context: RequestContext, request: WireRequest, reply: WireReply, path: string) {
    super(context, request, reply);
    this.#path = path;
  }

  get dialect(): Dialect {
    return v03Proto;
  }

  protected get contentType(): string {
    return "application/json";
  }

  async read(): Promise<DecodedRequest> {
    const { context, head } = this;
    const caller = await context.host.admission.authenticate(head, context.host.definition);
    const match = matchRouteV03(head.method, this.#path);
    if (!match) throw nothingAt(head.method, this.#path);
    if ("allowed" in match) throw methodNotAllowed(head.method, match.allowed);
    const { operation, members } = match;
    context.operation = operation;
    const given = head.method === "POST" ? await readBody(head) : readQueryV03(operation, head.query);
    return { operation, json: { ...given, ...members }, caller, exchange: startExchange(randomUUID) };
  }

  protected sendError(error: A2AError, encode: Encode): void {
    const { headers } = this.context;
    const all = { "Content-Type": this.contentType, ...headers, ...errorHeaders(error, this.refused) };
    const body = encode(JSON.parse(writeRestErrorV03(error)));
    this.reply.send(restStatusV03(error), all, JSON.stringify(body));
  }
}
