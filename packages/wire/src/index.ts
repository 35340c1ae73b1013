export { createHttpClient, type HttpClient, type HttpClientOptions, userAgent } from "./client/http.ts";
export { createEgressGuard, type EgressGuard } from "./egress.ts";
export { type CardSearch, discoverCard, type FoundCard } from "./peer/discover.ts";
export {
  createPeer,
  type Peer,
  type PeerAnswer,
  type PeerInterface,
  type PeerStream,
  type PeerTrouble,
} from "./peer/peer.ts";
export type { Exchange } from "./recording/exchange.ts";
export { toHar } from "./recording/har.ts";
export { createMasker } from "./recording/masking.ts";
export { Recording } from "./recording/recording.ts";
export { agentCors, cardCors, preflight } from "./server/cors.ts";
export type { EventStream, Handler, WireReply, WireRequest } from "./server/handler.ts";
export { createHostCheck } from "./server/host-check.ts";
export type { Limits } from "./server/limits.ts";
export { listen, type WireServer } from "./server/listen.ts";
export { WireError, type WireErrorCode } from "./server/wire-error.ts";
