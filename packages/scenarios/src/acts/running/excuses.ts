import type { JsonValue } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import { isErrorNamed } from "../error-types.ts";
import type { Step } from "../model.ts";
import { isRpcError } from "../quirks/defects.ts";
import { mismatches } from "../values/match.ts";
import type { StepAnswer } from "./answer.ts";
import type { TestPlace } from "./run-test.ts";

// Failures that do not count against the agent, in any test.

export const shyOfUs =
  "the agent rejects the webhook address of Assay, as it may for a private one: set another with --webhook-url <url>";

export const forgetsEnded = "the agent deletes ended tasks, as it may (§3.3.2), so they cannot be examined";

export const endedConfig =
  "the test asks for notifications of an ended task, which has no more events; an agent may reject that, and this one does";

/** A careful agent does not call a webhook on this machine. */
export const isShyOfUs = (step: Step, { error }: StepAnswer, { agent, target }: TestPlace): boolean =>
  step.is === "operation" &&
  step.operation === "create_push_config" &&
  agent.webhook?.declared === false &&
  error !== undefined &&
  isErrorNamed(error, target.on, "InvalidParams");

/** The JSON-RPC error is as expected, but its HTTP status is not defined. */
export function failsOnStatusAlone(
  step: Step,
  { root }: StepAnswer,
  on: PeerInterface,
  fill: (value: JsonValue) => JsonValue,
): boolean {
  if (step.is !== "raw" || on.binding !== "JSONRPC" || !isRpcError(root)) return false;
  const { status, body } = step.expect ?? {};
  const isOk = status?.is === "value" && status.value === 200;
  return isOk && body !== undefined && mismatches(body, root, { fill }).length === 0;
}
