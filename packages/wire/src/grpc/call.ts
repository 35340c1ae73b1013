import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { ClientCertificate } from "../server/client-certificate.ts";

/** One gRPC call as a handler sees it: messages in, messages out, a status at the end. */
export interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  /** the call's metadata, names in lower case */
  readonly headers: IncomingHttpHeaders;
  /** the authority the client asked for */
  readonly host: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** that of the client, where one was asked for and a good one shown */
  readonly certificate: ClientCertificate | undefined;
  /** Request messages as they arrive. Throws a FrameError for what is no gRPC. */
  readonly messages: AsyncIterable<Buffer>;
  /** aborted when the client cancelled, its deadline passed, or it is gone */
  readonly signal: AbortSignal;
  /** One message; a promise when the client is behind: await it before sending more. */
  send(message: Uint8Array): Promise<void> | undefined;
  /** Leading metadata, before the first message. */
  start(metadata: Readonly<Record<string, string>>): void;
  /** The only message of a call that went well, and its end: together they cost one write. Throws BudgetExceeded, and sends nothing, where there is no room for it. */
  answer(message: Uint8Array): void;
  /** Ends the call. What is sent after that is not sent. */
  end(status: number, message?: string, trailers?: Readonly<Record<string, string>>): void;
  /** For deliberate misbehaviour: the HTTP/2 stream below the frames. */
  readonly raw: ServerHttp2Stream;
}

export type GrpcHandler = (call: GrpcCall) => Promise<void>;
