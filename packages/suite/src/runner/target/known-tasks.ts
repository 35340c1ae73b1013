import type { JsonObject, UnaryOperation } from "@assay/protocol";
import type { Call } from "../../call.ts";
import { matches } from "../../expect-error.ts";
import { askedFor, untilSeen } from "../../observations/until-seen.ts";
import { asObject, asText, isEnded, type LooseTask, taskIn, tasksIn } from "../../reading.ts";
import type { Target } from "../../target.ts";

/** Where the task is named in the parameters of what does not make the agent work. */
const nameOfTask: Partial<Record<UnaryOperation, string>> = {
  GetTask: "id",
  CancelTask: "id",
  CreateTaskPushNotificationConfig: "taskId",
  GetTaskPushNotificationConfig: "taskId",
  ListTaskPushNotificationConfigs: "taskId",
  DeleteTaskPushNotificationConfig: "taskId",
};

/** An agent that has lost so many tasks does not keep them: it is not waited for again. */
const patience = 2;

type Asker = Pick<Target, "principal" | "on" | "now" | "sleep" | "due" | "quiet">;

/**
 * The tasks that the agent has named to each principal. One that it does not find a moment later may be on its way to
 * another replica: it is asked again until the grace is over, and for an ended one, which may be purged at any time
 * (§3.3.2), for a little while.
 */
export class KnownTasks {
  readonly #isEnded = new Map<string, boolean>();
  /** each as it was last shown whole, by the interface that showed it */
  readonly #shown = new Map<string, { readonly task: LooseTask; readonly asker: string }>();
  readonly #seen = new Set<string>();
  readonly #lost = new Set<string>();

  learn(call: Call, asker: Asker): void {
    for (const { id, state } of tasksIn(call)) {
      const key = keyOf(id, asker);
      this.#isEnded.set(key, isEnded(state) || (this.#isEnded.get(key) ?? false));
      if (call.operation === "GetTask") this.#seen.add(key);
    }
    const task = isLimited(call) ? undefined : taskIn(call);
    if (task) this.#shown.set(keyOf(task.id, asker), { task, asker: placeOf(asker) });
  }

  /** The agent may have been restarted: what it showed before it may not know any more. */
  forgetShown(): void {
    this.#shown.clear();
  }

  /** A task that came by on this interface, the latest first. */
  recall(asker: Asker, isMeant: (task: LooseTask) => boolean): LooseTask | undefined {
    const here = [...this.#shown.values()].filter((each) => each.asker === placeOf(asker));
    return here.findLast(({ task }) => isMeant(task))?.task;
  }

  async untilFound(
    operation: UnaryOperation,
    params: JsonObject,
    asker: Asker,
    ask: () => Promise<Call>,
  ): Promise<Call> {
    const id = asText(params[nameOfTask[operation] ?? ""]);
    const key = id && keyOf(id, asker);
    const isOver = key ? this.#isEnded.get(key) : undefined;
    // One that was to be read once is gone for good when it is not there any more.
    if (!key || isOver === undefined || this.#seen.has(key) || this.#lost.size >= patience) return ask();
    const call = isOver
      ? (await askedFor(asker, asker.quiet, ask, isFound)).answer
      : await untilSeen(asker, "read", ask, isFound);
    this.#seen.add(key);
    if (!isFound(call)) this.#lost.add(key);
    return call;
  }
}

const isFound = (call: Call): boolean => !matches(call, "TaskNotFound");

/** Asked for with less than the whole history. */
const isLimited = ({ params }: Call): boolean =>
  [params, asObject(params?.["configuration"])].some((each) => each?.["historyLength"] !== undefined);

const placeOf = ({ principal, on }: Asker): string =>
  JSON.stringify([principal, on.url, on.binding, on.dialect, on.tenant]);

const keyOf = (id: string, { principal, on }: Asker): string => JSON.stringify([id, principal, on.tenant]);
