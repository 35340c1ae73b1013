import type { Failure } from "@assay/wire";
import { describeReply, headerOf } from "../../answers/reading.ts";
import { skippedFor, troubleOf } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { Obstacle } from "../../define/obstacle.ts";
import { troubleText } from "../../report/trouble.ts";

/** What is said of a request that was repeated in vain, and what the operator can do. None of it is a fault of the agent. */

export const alwaysPressed = (call: Call): Obstacle =>
  skippedFor(call, inWords(call) ?? "the agent was unavailable on every attempt", "--rate <requests per second>");

/** The agent asks for more time than a run has for it. */
export function waitTooLong(call: Call, mostMs: number): Obstacle {
  const asked = headerOf(call.exchange, "Retry-After");
  const asks = asked === undefined ? "" : ` and asked to wait (Retry-After: ${asked})`;
  const because = `${inWords(call) ?? "the agent was unavailable on every attempt"}${asks}; a run waits ${mostMs / 1000} s at most`;
  return skippedFor(call, because, "test it again later, or with --rate <requests per second>");
}

export function noWayThere(call: Call): Obstacle {
  const { message = "no connection", hint } = failureOf(call) ?? {};
  return skippedFor(call, `the agent could not be reached (${message})`, hint);
}

export const gatewayInTheWay = (call: Call): Obstacle =>
  skippedFor(call, `${inWords(call) ?? describeReply(call)}, on every attempt`);

export function dropped(call: Call): Obstacle {
  const failure = failureOf(call);
  if (!failure) return gatewayInTheWay(call);
  const number = call.exchange.id.replace(/\D/g, "");
  const because = `the connection closed without a response each time (${failure.message}); request ${number} is a suspect, but nothing proves that it crashes the agent`;
  return skippedFor(call, because);
}

/** What shows over a restart of the agent, and could not be looked at again without one. */
export const restartedMeanwhile = {
  is: "not-examined",
  reason: "unstable",
  because:
    "the agent restarted, or its connections broke, while Assay was looking at this; what it kept before may be lost",
} as const;

/** A task that was needed is lost with the process that kept it. */
export const isOverRestart = (error: unknown): boolean =>
  error instanceof Obstacle && error.kind === restartedMeanwhile;

export const silent = (call: Call): Obstacle => late(call, "--timeout <seconds>");

/** A message: the agent may take as long as a task. */
export const tooSlow = (call: Call): Obstacle => late(call, "--task-timeout <seconds>");

const late = (call: Call, flag: string): Obstacle =>
  skippedFor(call, `the agent did not answer in time (${failureOf(call)?.message ?? "nothing came"})`, flag);

/** No flag of ours makes a gateway wait; a message that takes less time gets through. */
export const impatientGateway = (call: Call): Obstacle =>
  skippedFor(
    call,
    inWords(call) ?? describeReply(call),
    "prompts.task in assay.yaml: one that takes less time; or test the agent behind the gateway",
  );

/** "a gateway returned 504 after 3 s" */
function inWords(call: Call): string | undefined {
  const trouble = troubleOf(call);
  return (
    trouble && troubleText(trouble, trouble.seconds === undefined ? undefined : [trouble.seconds, trouble.seconds])
  );
}

function failureOf({ reply }: Call): Failure | undefined {
  return reply.is === "failure" || reply.is === "stream" ? reply.failure : undefined;
}
