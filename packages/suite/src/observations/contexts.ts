import type { JsonObject } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { isAnswered, type LooseTask, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { settledTask } from "./settled.ts";

/** A message in a context that the client made up. */
export interface OwnContext {
  readonly contextId: string;
  readonly talk: Talk;
  /** GetTask, where there is a task */
  readonly got: Talk | undefined;
}

export const ownContext = observation<OwnContext>({
  name: "a message in a context of our own",
  messages: 1,
  prompts: ["task"],
  rank: 4,
  async make(lab) {
    const contextId = lab.unknownId();
    // How the task ends does not matter here, so that it may as well be rejected (see bad-endings.ts).
    const rejected = lab.hasPrompt("rejected") ? await lab.send("rejected", { message: { contextId } }) : undefined;
    const talk = rejected && isAnswered(rejected) ? rejected : await lab.send("task", { message: { contextId } });
    const task = taskIn(talk);
    return { contextId, talk, got: task && (await lab.call("GetTask", { id: task.id })) };
  },
});

/** Two more messages in the context of a task, sent at the same time. */
export interface Company {
  readonly first: LooseTask;
  readonly contextId: string;
  /** with the context alone; one that fails, where we know how */
  readonly plain: Talk;
  /** with the context and a reference to the first task */
  readonly referring: Talk;
  /** GetTask of the first one after both */
  readonly after: Talk;
}

export const company = observation<Company>({
  name: "several tasks in one context",
  messages: 2,
  prompts: ["task"],
  rank: 5,
  uses: [settledTask],
  async make(lab) {
    const { last: first } = await lab.observe(settledTask);
    const { contextId } = first;
    if (!contextId) throw skipped("no-occasion", "the agent's tasks show no context");
    const [plain, referring] = await Promise.all([
      lab.hasPrompt("failure") ? fail(lab, contextId) : lab.send("task", { message: { contextId } }),
      lab.send("task", { message: { contextId, referenceTaskIds: [first.id] } }),
    ]);
    return { first, contextId, plain, referring, after: await lab.call("GetTask", { id: first.id }) };
  },
});

/** As above, one that fails. Where that is an error and no task, it was asked for: once, and blamed on nobody. */
function fail(lab: Lab, contextId: string): Promise<Talk> {
  // A message of ours is JSON.
  const message = lab.message("failure", { contextId }) as unknown as JsonObject;
  return lab.call("SendMessage", { message }, { fair: false });
}
