import type { ConnectionNeeds, Exchange, HttpClient } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import { type AttemptMode, type RetryOptions, withRetries } from "./retry.ts";

/** A dropped connection is not investigated here. */
const noInquiry: RetryOptions["inquiry"] = {
  dropped: async () => ({ is: "undecided", trials: 0 }),
  silent: async () => undefined,
  recover: async () => {},
  isCrash: () => false,
};

type Patience = Omit<RetryOptions, "inquiry"> & {
  /** restarts the agent if Assay started it and its process has ended */
  readonly recover?: () => Promise<void>;
};

/**
 * Sends a request that is not an A2A call, such as for a card, and retries on network trouble. Returns the last
 * response, because the caller knows what it means.
 */
export function fetchPatiently(
  ask: (needs: ConnectionNeeds) => Promise<Exchange>,
  patience: Patience,
): Promise<Exchange> {
  const attempt = async (mode: AttemptMode) => {
    const exchange = await ask(mode === "first" ? {} : { fresh: true });
    return { value: exchange, call: asCall(exchange) };
  };
  const { recover = noInquiry.recover, ...rest } = patience;
  return withRetries("fetch", attempt, { ...rest, inquiry: { ...noInquiry, recover } });
}

/** Returns a client that sends every request this way. */
export const patientClient = (http: HttpClient, patience: Patience): HttpClient => ({
  ...http,
  request: (spec, signal) => fetchPatiently((needs) => http.request({ ...spec, ...needs }, signal), patience),
});

/** Presents an exchange to the retry policy as a call without an A2A response. */
function asCall(exchange: Exchange): Call {
  const { failure, http } = exchange;
  const url = http.request.url;
  const reply: Call["reply"] = failure
    ? { is: "failure", failure }
    : { is: "malformed", because: "not an A2A response" };
  return {
    exchange,
    on: { url, binding: "HTTP+JSON", dialect: "1.0" },
    reply,
    said: reply,
    fair: true,
    streamed: false,
  };
}
