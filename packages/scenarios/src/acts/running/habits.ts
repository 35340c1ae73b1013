import type { JsonValue } from "@assay/protocol";
import type { Target } from "@assay/suite";
import { isErrorNamed } from "../error-types.ts";
import { valueAt } from "../values/path.ts";
import type { ActsAgent } from "./agent.ts";
import { askOperation } from "./ask.ts";

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
