import type { ConnectionNeeds, Exchange, HttpClient } from "@assay/wire";
import type { Call } from "../../call.ts";
import { type RetryOptions, withRetries } from "./retry.ts";

/** What drops here drops, whatever the reason. */
const noInquiry: RetryOptions["inquiry"] = { finding: undefined, begin() {}, hear: async () => {}, end() {} };

type Patience = Omit<RetryOptions, "inquiry">;

/**
 * Asks for what is no call of A2A, such as a card, and again while the surroundings are in the way. What they did the
 * last time is handed on: it depends on what was asked for whether it shows anything.
 */
export function fetchPatiently(
  ask: (needs: ConnectionNeeds) => Promise<Exchange>,
  patience: Patience,
): Promise<Exchange> {
  const attempt = async (isRepeat: boolean) => {
    const exchange = await ask(isRepeat ? { fresh: true } : {});
    return { value: exchange, call: asCall(exchange) };
  };
  return withRetries("fetch", attempt, { ...patience, inquiry: noInquiry });
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
