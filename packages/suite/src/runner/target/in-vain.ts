import type { Failure } from "@assay/wire";
import type { Call } from "../../call.ts";
import { type Obstacle, skipped } from "../../obstacle.ts";
import { describeReply } from "../../reading.ts";

/** What is said of a request that was repeated in vain, and what the operator can do. None of it is a fault of the agent. */

export function alwaysPressed({ exchange }: Call): Obstacle {
  const status = exchange.http.response?.status ?? "?";
  const because = `the agent turned us away again and again (HTTP ${status})`;
  return skipped("unstable", because, "--rate <requests per second>");
}

export function noWayThere(call: Call): Obstacle {
  const { message = "no connection", hint } = failureOf(call) ?? {};
  return skipped("unstable", `the agent could not be reached (${message})`, hint);
}

export const gatewayInTheWay = (call: Call): Obstacle =>
  skipped("unstable", `a gateway answered in the place of the agent, again and again (${describeReply(call)})`);

export function dropped(call: Call): Obstacle {
  const failure = failureOf(call);
  if (!failure) return gatewayInTheWay(call);
  const number = call.exchange.id.replace(/\D/g, "");
  const because = `the connection closed without a response each time (${failure.message}); request ${number} is a suspect, but nothing proves that it crashes the agent`;
  return skipped("unstable", because);
}

export const silent = (call: Call): Obstacle => late(call, "--timeout <seconds>");

/** A message: the agent may take as long as a task. */
export const tooSlow = (call: Call): Obstacle => late(call, "--task-timeout <seconds>");

const late = (call: Call, flag: string): Obstacle =>
  skipped("unstable", `the agent did not answer in time (${failureOf(call)?.message ?? "nothing came"})`, flag);

/** No flag of ours makes a gateway wait; a message that takes less time gets through. */
export const impatientGateway = (call: Call): Obstacle =>
  skipped(
    "unstable",
    `a gateway did not wait for the agent's answer (${describeReply(call)})`,
    "prompts.task in assay.yaml: one that takes less time; or test the agent behind the gateway",
  );

function failureOf({ reply }: Call): Failure | undefined {
  return reply.is === "failure" || reply.is === "stream" ? reply.failure : undefined;
}
