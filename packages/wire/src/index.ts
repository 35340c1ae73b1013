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
export { chooseInterface } from "./peer/choose.ts";
