import type { Arrived } from "@assay/wire";
import { asText, eventsOf, isAtRest, looseEvent, messageIn, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";

/** One of two messages that were sent at the same moment, each in a context of its own that the client made up. */
export interface BegunAtOnce {
  /** the context that it was sent in */
  readonly contextId: string;
  readonly call: Call;
  /** the task that was made for it */
  readonly taskId: string | undefined;
  /** the contexts that its answer names, and GetTask */
  readonly shownContexts: readonly string[];
  /** GetTask, where there is a task */
  readonly got: Call | undefined;
}

/** Streams where the agent streams, for these are open beside each other for as long as their tasks take. */
export const twoTasksAtOnce = observation<readonly BegunAtOnce[]>({
  name: "two tasks at once",
  messages: 2,
  prompts: ["task", "stream"],
  rank: 6,
  // Who is mixed up is known behind the bindings.
  once: true,
  make: (target) => Promise.all([begin(target), begin(target)]),
});

async function begin(target: Target): Promise<BegunAtOnce> {
  const contextId = target.unknownId();
  const more = { message: { contextId } };
  const call = target.facts.streaming ? await streamed(target, more) : await target.send("task", more);
  const events = eventsOf(call);
  const taskId = taskIn(call)?.id ?? events.find((event) => event.taskId !== undefined)?.taskId;
  const got = taskId === undefined ? undefined : await target.call("GetTask", { id: taskId }, { mayBeGone: true });
  const shown = [
    taskIn(call)?.contextId,
    asText(messageIn(call)?.["contextId"]),
    // What updates name besides is for the rules of streams.
    ...events.filter(({ is }) => is === "task" || is === "message").map((event) => event.contextId),
    got && taskIn(got)?.contextId,
  ];
  return { contextId, call, taskId, got, shownContexts: shown.flatMap((each) => (each ? [each] : [])) };
}

async function streamed(target: Target, more: { readonly message: { readonly contextId: string } }): Promise<Call> {
  const live = await target.stream("stream", more);
  await live.until(isLast, target.taskTimeout);
  return live.rest(target.quiet);
}

/** Nothing more comes by itself. */
const isLast = (frame: Arrived): boolean => {
  const event = looseEvent(frame);
  return event === undefined || event.is === "message" || isAtRest(event.state);
};
