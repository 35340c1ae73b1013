import type { FailureCode } from "@assay/wire";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { TransportTrouble, TroubleCode } from "../report/trouble.ts";
import { isOfGateway, isPassing } from "./expect-error.ts";

const codes: Partial<Record<FailureCode, TroubleCode>> = {
  dns: "unreachable",
  "connect-refused": "unreachable",
  unreachable: "unreachable",
  "closed-at-once": "unreachable",
  tls: "unreachable",
  proxy: "unreachable",
  "timeout-connect": "unreachable",
  "timeout-idle": "timeout",
  "timeout-total": "timeout",
  reset: "reset",
  "closed-early": "closed-early",
};

/** Returns what the network or a gateway did to a call; undefined if the agent itself responded. */
export function troubleOf(call: Call): TransportTrouble | undefined {
  const { reply, exchange } = call;
  const status = exchange.http.response?.status;
  const seconds = Math.round(exchange.timing.end / 10) / 100;
  // Over gRPC the HTTP status is always 200.
  if (isPassing(call)) return { code: "turned-away", ...(status !== undefined && status >= 400 && { status }) };
  if (isOfGateway(call)) return { code: "gateway", status: status!, seconds };
  const failure = reply.is === "failure" || reply.is === "stream" ? reply.failure : undefined;
  const code = failure && codes[failure.code];
  if (reply.is === "stream" && reply.events.length > 0 && code !== "timeout") return { code: "stream-cut", seconds };
  return code && { code, seconds };
}

/** Returns an obstacle for a call that transport trouble kept from the agent. */
export const skippedFor = (call: Call, because: string, enable?: string): Obstacle =>
  skipped("unstable", because, enable, troubleOf(call));
