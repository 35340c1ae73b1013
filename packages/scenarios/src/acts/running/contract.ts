import { isObject, type JsonValue } from "@assay/protocol";
import { Obstacle } from "@assay/suite";
import type { ActsAgent } from "./agent.ts";
import { askOperation } from "./ask.ts";

/**
 * Whether an agent reacts to the words of ACTS at all. Most agents do not, and would be accused of whatever they make of
 * "tck-complete-task". Two messages tell: one must be answered with a message, the other with a task.
 */
export async function offersContract(agent: ActsAgent): Promise<boolean> {
  const [target] = agent.targets;
  if (!target) return false;
  const ask = async (text: string): Promise<JsonValue | undefined> => {
    const params = { message: { role: "ROLE_USER", parts: [{ text }] } };
    return askOperation({ operation: "send_message" }, params, target, agent, () => {}).then(
      ({ root }) => root,
      // What keeps the suite from asking keeps us from knowing; each test says it for itself.
      (error: unknown) => {
        if (error instanceof Obstacle) return undefined;
        throw error;
      },
    );
  };
  const [message, task] = [await ask("tck-message-response hello"), await ask("tck-complete-task hello")];
  return isObject(message) && "message" in message && isObject(task) && "task" in task;
}
