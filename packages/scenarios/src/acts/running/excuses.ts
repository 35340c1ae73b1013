import type { JsonValue } from "@assay/protocol";
import type { Target } from "@assay/suite";
import type { PeerInterface } from "@assay/wire";
import { isErrorNamed } from "../error-types.ts";
import type { Step } from "../model.ts";
import { isRpcError } from "../quirks/defects.ts";
import { mismatches } from "../values/match.ts";
import { valueAt } from "../values/path.ts";
import type { ActsAgent } from "./agent.ts";
import type { StepAnswer } from "./answer.ts";
import { askOperation } from "./ask.ts";
import type { TestPlace } from "./run-test.ts";

const found = new WeakMap<Target, Promise<boolean>>();

/**
 * Returns true if an agent deletes tasks as soon as they end, as it may (§3.3.2), but finds open ones. It is
 * tested once, and only after a task was not found: an agent that never finds any task is broken.
 */
export function forgetsTasks(target: Target, agent: ActsAgent): Promise<boolean> {
  // An unknown result does not excuse a failure.
  const known = found.get(target) ?? examine(target, agent).catch(() => false);
  found.set(target, known);
  return known;
}

async function examine(target: Target, agent: ActsAgent): Promise<boolean> {
  const taskOf = async (text: string): Promise<JsonValue | undefined> => {
    const params = { message: { role: "ROLE_USER", parts: [{ text }] } };
    return valueAt(
      (await askOperation({ operation: "send_message" }, params, target, agent, () => {})).root,
      "task.id",
    );
  };
  const [ended, open] = [await taskOf("tck-complete-task is it kept?"), await taskOf("tck-multi-turn is it kept?")];
  if (typeof ended !== "string" || typeof open !== "string") return false;
  const get = (id: string) => askOperation({ operation: "get_task", expectError: {} }, { id }, target, agent, () => {});
  const [gone, kept] = [await get(ended), await get(open)];
  const isGone = gone.error !== undefined && isErrorNamed(gone.error, target.on, "TaskNotFound");
  return isGone && valueAt(kept.root, "id") === open;
}

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
