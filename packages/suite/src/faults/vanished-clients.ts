import { answerNumber, describeReply, eventsOf, isAtRest, looseEvent } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { Target } from "../define/target.ts";
import { slowerPrompt } from "../observations/cancelled.ts";
import { follow } from "../observations/sent-message.ts";
import type { Advice } from "./advice.ts";

const vanishing = 2;

/** A task is stuck if it takes this many times as long as a task whose client stays. */
const stuckFactor = 4;

/** Two clients disconnect while their tasks work. A third one stays, and shows how long such a task takes. */
export const vanishedClients = observation<readonly Advice[]>("clients that disconnect in the middle of a stream", {
  messages: vanishing + 1,
  async make(target) {
    const kind = firstKnown(target, "slow", "stream");
    const left: string[] = [];
    for (let client = 1; client <= vanishing; client += 1) left.push(...(await leave(target, kind)));
    if (left.length === 0)
      throw skipped("prompt", "no task was working while its stream could be closed", slowerPrompt);

    const begunAt = target.now();
    const stayed = await (await target.stream(kind)).rest(target.taskTimeout);
    const took = target.now() - begunAt;
    const events = eventsOf(stayed);
    if (events.length === 0) {
      const asked = await target.call("GetTask", { id: left[0]! });
      if (![stayed, asked].every(isUnanswered))
        throw skipped("unstable", `no event on the next stream: ${describeReply(stayed)}`);
      return [{ id: "FAULT-001", saw: `no answer to the next requests: ${describeReply(stayed)}` } as const];
    }

    const seen = await Promise.all(left.map((id) => follow(target, { id })));
    const lost = seen.find(({ last }) => last === undefined);
    const stayedId = events.find(({ taskId }) => taskId !== undefined)?.taskId;
    // An agent may purge tasks, but then it also purges the task whose client stayed.
    if (lost && stayedId !== undefined && (await follow(target, { id: stayedId })).last)
      return [{ id: "FAULT-002", saw: describeReply(lost.got) } as const];
    const stuck = seen.find(({ last }) => last && !isAtRest(last.state));
    const isComparable = events.some(({ state }) => isAtRest(state)) && took * stuckFactor < target.taskTimeout;
    if (!stuck) return [];
    if (!isComparable)
      throw skipped("unstable", "the task of a client that stayed did not end in time", "--task-timeout <seconds>");
    const saw = `${stuck.last?.state} after ${inSeconds(target.taskTimeout)} s; ${inSeconds(took)} s with a client that stayed`;
    return [{ id: "FAULT-003", saw } as const];
  },
});

/** An error is an answer. */
const isUnanswered = (call: Call): boolean => answerNumber(call) === "none";

const inSeconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Disconnects at the first event of a task. Returns the id of the task if it was still working. */
async function leave(target: Target, kind: PromptKind): Promise<readonly string[]> {
  const live = await target.stream(kind);
  await live.until((frame) => looseEvent(frame)?.taskId !== undefined, target.taskTimeout);
  const events = eventsOf(await live.hangUp());
  if (events.some(({ state }) => isAtRest(state))) return [];
  return events.flatMap(({ taskId }) => taskId ?? []).slice(0, 1);
}
