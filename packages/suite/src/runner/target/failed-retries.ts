import type { Failure } from "@assay/wire";
import { describeReply, headerOf } from "../../answers/reading.ts";
import { skippedFor, troubleOf } from "../../answers/trouble.ts";
import type { Call } from "../../define/call.ts";
import { Obstacle } from "../../define/obstacle.ts";
import { troubleText } from "../../report/trouble.ts";

/**
 * The messages for requests that failed on every attempt, and what the operator can do. None of them is the agent's
 * fault.
 */

export const alwaysPressed = (call: Call): Obstacle =>
  skippedFor(call, inWords(call) ?? "the agent was unavailable on every attempt", "--rate <requests per second>");

/** The agent asks for more time than a run may wait. */
export function waitTooLong(call: Call, mostMs: number): Obstacle {
  const asked = headerOf(call.exchange, "Retry-After");
  const asks = asked === undefined ? "" : ` and asked to wait (Retry-After: ${asked})`;
  const because = `${inWords(call) ?? "the agent was unavailable on every attempt"}${asks}; a run waits at most ${mostMs / 1000} s`;
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

/** The obstacle of observations that a restart of the agent disturbed twice. */
export const restartedMeanwhile = {
  is: "not-examined",
  reason: "unstable",
  because: "the agent restarted, or its connections broke, during this observation; its earlier tasks may be lost",
} as const;

/** A needed task was lost with its process. */
export const isOverRestart = (error: unknown): boolean =>
  error instanceof Obstacle && error.kind === restartedMeanwhile;

export const silent = (call: Call): Obstacle => late(call, "--timeout <seconds>");

/** For a message, the agent may take as long as for a task. */
export const tooSlow = (call: Call): Obstacle => late(call, "--task-timeout <seconds>");

const late = (call: Call, flag: string): Obstacle =>
  skippedFor(call, `the agent did not answer in time (${failureOf(call)?.message ?? "no response"})`, flag);

/** No flag makes a gateway wait longer. A shorter task gets through. */
export const impatientGateway = (call: Call): Obstacle =>
  skippedFor(
    call,
    inWords(call) ?? describeReply(call),
    "prompts.task in assay.yaml: a message that takes less time; or test the agent without its gateway",
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
