export { addressKind, isSameHost } from "./address-kind.ts";
export { awakeStopwatch, sleepAwake, whenAwakeFor } from "./awake-timer.ts";
export { type BoundCredentials, bindCredentials, readTrustedHost } from "./client/bound-credentials.ts";
export { type ClientGrant, requestToken } from "./client/client-grant.ts";
export { type Handshake, shakeHands, type TlsVersion } from "./client/handshake.ts";
export { createHttpClient, type HttpClient, type HttpClientOptions, userAgent } from "./client/http.ts";
export { createHttp2Client, type Http2Client } from "./client/http2.ts";
export { defaultTimeouts } from "./client/limits.ts";
export { createRawClient } from "./client/raw.ts";
export type { RawStep } from "./client/raw-steps.ts";
export type { ConnectionNeeds, RequestSpec } from "./client/request-spec.ts";
export type { TlsMaterial } from "./client/tls.ts";
export { createEgressGuard, type EgressGuard } from "./egress.ts";
export { decodeStatusMessage } from "./grpc/status-message.ts";
export type { Arrived, PeerBinding, Reply } from "./peer/binding.ts";
export { bodyJson, eventJson, textOf } from "./peer/body-json.ts";
export { cardOddities } from "./peer/card-oddities.ts";
export { cardTrouble, loginHint, paymentHint } from "./peer/card-trouble.ts";
export { chooseInterface, speakable } from "./peer/choose.ts";
export { createPeerClients, type PeerClients, withParameters } from "./peer/clients.ts";
export { type ContactTrouble, contactTrouble, methodOf } from "./peer/contact-trouble.ts";
export { dialectFor } from "./peer/dialects.ts";
export { type CardSearch, cardJson, discoverCard, type FoundCard, fetchCard, isLate } from "./peer/discover.ts";
export { challengeOf, otherAnswer } from "./peer/endpoint-trouble.ts";
export type { PeerError } from "./peer/envelope.ts";
export { interfaceTrouble, isOlderCard, noInterfaces } from "./peer/interface-trouble.ts";
export {
  createPeer,
  openLine,
  openReplyReader,
  type Peer,
  type PeerAnswer,
  type PeerStream,
  type PeerTrouble,
} from "./peer/peer.ts";
export { namedVersion, type PeerInterface } from "./peer/place.ts";
export {
  isUndated,
  meantByOlderCard,
  type ProbedDialect,
  type ProbedDialects,
  probeEveryDialect,
  probeHeader,
  readFoundCard,
} from "./peer/probe.ts";
export { createUnsentClients } from "./peer/unsent-clients.ts";
export { secretsInAddress } from "./recording/address-secrets.ts";
export { secretsInGivenHeader, secretsInHeader } from "./recording/credential-headers.ts";
export type {
  BegunExchange,
  Exchange,
  Failure,
  FailureCode,
  HeaderPairs,
  HttpResponse,
} from "./recording/exchange.ts";
export { isGrpcCall } from "./recording/grpc-call.ts";
export { type HarEntry, toHar, toHarEntry } from "./recording/har.ts";
export { createMasker, type Masker, type Secret } from "./recording/masking.ts";
export { Recording } from "./recording/recording.ts";
export { sseDataIn } from "./recording/sse-data.ts";
export { trim } from "./recording/trim.ts";
export { timeLimit } from "./time-limit.ts";
