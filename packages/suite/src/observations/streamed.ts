import { observation } from "../observation.ts";
import { heldUp } from "../obstacle.ts";
import { describeReply, eventsOf, type LooseEvent } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** A message streamed to the end of its stream. */
export interface Streamed {
  readonly talk: Talk;
  readonly events: readonly LooseEvent[];
  /** the task the stream is about, from whichever event names it first */
  readonly taskId: string | undefined;
  /** the agent closed the stream; otherwise we hung up because it stayed open or fell silent */
  readonly closed: boolean;
}

export const streamed = observation<Streamed>({
  name: "a stream of a task",
  messages: 1,
  prompts: ["stream"],
  rank: 2,
  async make(lab) {
    const live = await lab.stream("stream");
    // After the end of the task the stream has a grace time to close; before it, the task has its own time.
    const ended = await live.until((frame) => frame.is !== "result" || endsTask(frame.json), lab.taskTimeout);
    const talk = await live.rest(ended ? Math.min(lab.grace, 5_000) : 0);
    const events = eventsOf(talk);
    if (events.length === 0) {
      throw heldUp("STREAM-001", `SendStreamingMessage opens no stream: ${describeReply(talk)}`, talk, {
        saw: describeReply(talk),
        want: "a stream of events",
      });
    }
    return { talk, events, taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId, closed: live.ended };
  },
});

const ending = /"state":\s*"TASK_STATE_(COMPLETED|FAILED|CANCELED|REJECTED)"/;

/** Whether an event reports that its task is over, or is a message, behind which nothing comes. */
const endsTask = (json: unknown): boolean => {
  const text = JSON.stringify(json);
  return text.startsWith('{"message"') || (/^\{"(task|statusUpdate)"/.test(text) && ending.test(text));
};
