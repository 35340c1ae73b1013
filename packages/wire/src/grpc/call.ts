import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { ClientCertificate } from "../server/client-certificate.ts";

/** One gRPC call for a handler: messages in, messages out, a status at the end. */
export interface GrpcCall {
  /** `/package.Service/Method` */
  readonly path: string;
  /** the call's metadata, names in lower case */
  readonly headers: IncomingHttpHeaders;
  /** the authority the client asked for */
  readonly host: string;
  readonly secure: boolean;
  readonly remoteAddress: string;
  /** the client's certificate, if one was requested and is valid */
  readonly certificate: ClientCertificate | undefined;
  /** Request messages as they arrive. Throws a FrameError for invalid gRPC. */
  readonly messages: AsyncIterable<Buffer>;
  /** aborted if the client cancelled, its deadline passed, or it disconnected */
  readonly signal: AbortSignal;
  /** Sends one message. Returns a promise if the client is slow: await it before sending more. */
  send(message: Uint8Array): Promise<void> | undefined;
  /** Leading metadata, before the first message. */
  start(metadata: Readonly<Record<string, string>>): void;
  /**
   * Sends the only message of a successful call and ends it, in one write. Throws BudgetExceeded and sends nothing if
   * there is no room.
   */
  answer(message: Uint8Array): void;
  /** Ends the call. Later messages are dropped. */
  end(status: number, message?: string, trailers?: Readonly<Record<string, string>>): void;
  /** The HTTP/2 stream below, for deliberate misbehaviour. */
  readonly raw: ServerHttp2Stream;
}

export type GrpcHandler = (call: GrpcCall) => Promise<void>;
