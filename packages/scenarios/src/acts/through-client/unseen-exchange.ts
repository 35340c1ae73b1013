import type { Exchange } from "@assay/wire";

/** In the place of the exchange of a step for which a client sent nothing. */
export const unseenExchange: Exchange = {
  id: "",
  transport: {
    sent: new Uint8Array(),
    sentTruncated: false,
    received: new Uint8Array(),
    receivedTruncated: false,
    reused: false,
  },
  http: { request: { method: "", url: "", headers: [], body: new Uint8Array(), bodyTruncated: false } },
  timing: { startedAt: "", end: 0 },
};
