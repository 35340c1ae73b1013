import type { ConnectionNeeds, Exchange, HttpClient } from "@assay/wire";
import type { Call } from "../../define/call.ts";
import { type AttemptMode, type RetryOptions, withRetries } from "./retry.ts";

/** What drops here drops, whatever the reason. */
const noInquiry: RetryOptions["inquiry"] = {
  dropped: async () => ({ is: "undecided", trials: 0 }),
  silent: async () => undefined,
  recover: async () => {},
  isCrash: () => false,
};

type Patience = Omit<RetryOptions, "inquiry"> & {
  /** starts the agent again, where we started it and its process has ended */
  readonly recover?: () => Promise<void>;
};

/**
 * Asks for what is no call of A2A, such as a card, and again while the surroundings are in the way. What they did the
 * last time is handed on: it depends on what was asked for whether it shows anything.
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

/** A client that asks so whatever it is asked for. */
export const patientClient = (http: HttpClient, patience: Patience): HttpClient => ({
  ...http,
  request: (spec, signal) => fetchPatiently((needs) => http.request({ ...spec, ...needs }, signal), patience),
});

/** As the retry policy sees it: an answer in no words of A2A, or none. */
function asCall(exchange: Exchange): Call {
  const { failure, http } = exchange;
  const url = http.request.url;
  const reply: Call["reply"] = failure ? { is: "failure", failure } : { is: "malformed", because: "no answer of A2A" };
  return {
    exchange,
    on: { url, binding: "HTTP+JSON", dialect: "1.0" },
    reply,
    said: reply,
    fair: true,
    streamed: false,
  };
}
