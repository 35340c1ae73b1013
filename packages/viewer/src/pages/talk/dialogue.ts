import type {
  Message,
  Part,
  PushArrival,
  PushOpened,
  StreamResponse,
  TalkEvent,
  Task,
  TaskState,
  TurnArrival,
  TurnBegun,
  TurnJudged,
  TurnOver,
} from "../../documents/talk.ts";

/** A request with everything known about its response. */
export interface TalkTurn extends Omit<TurnBegun, "is"> {
  readonly arrivals: readonly TurnArrival[];
  readonly over?: TurnOver;
  readonly judged?: TurnJudged;
}

/** A task with the facts from this conversation. */
export interface KnownTask {
  readonly id: string;
  readonly contextId?: string;
  /** in order of arrival; a state that repeats directly is listed once */
  readonly states: readonly TaskState[];
  /** turns whose open streams currently report this task */
  readonly openTurns: readonly number[];
}

/** The state of a conversation. */
export interface Dialogue {
  readonly turns: readonly TalkTurn[];
  /** the most recently mentioned task comes first */
  readonly tasks: readonly KnownTask[];
  readonly webhooks: readonly PushOpened[];
  readonly notifications: readonly PushArrival[];
}

export const silence: Dialogue = { turns: [], tasks: [], webhooks: [], notifications: [] };

/**
 * Returns the dialogue with more events. Parts without an event stay the same objects, so that they are not drawn
 * again.
 */
export function heard(dialogue: Dialogue, events: readonly TalkEvent[]): Dialogue {
  const turns = new Map(dialogue.turns.map((turn) => [turn.turn, turn]));
  const webhooks = [...dialogue.webhooks];
  const notifications = [...dialogue.notifications];
  // Each array is copied once for all events of a turn, because a stream may have thousands.
  const arrivals = new Map<number, TurnArrival[]>();
  let { tasks } = dialogue;
  for (const event of events) {
    switch (event.is) {
      case "begun": {
        const { is: _, ...begun } = event;
        turns.set(event.turn, { ...begun, arrivals: [] });
        break;
      }
      case "push-opened":
        webhooks.push(event);
        break;
      case "push-arrived":
        notifications.push(event);
        for (const told of event.event ? [event.event] : []) tasks = learned(tasks, told, undefined);
        break;
      default: {
        const turn = turns.get(event.turn);
        // The server no longer sends the beginning of a long conversation.
        if (!turn) break;
        if (event.is === "arrived") {
          const all = arrivals.get(event.turn) ?? [...turn.arrivals];
          all.push(event);
          if (!arrivals.has(event.turn)) turns.set(event.turn, { ...turn, arrivals: all });
          arrivals.set(event.turn, all);
          for (const told of toldIn(event)) tasks = learned(tasks, told, turn);
        } else if (event.is === "over") {
          turns.set(event.turn, { ...turn, over: event });
          tasks = tasks.map((task) => closed(task, event.turn));
        } else turns.set(event.turn, { ...turn, judged: event });
      }
    }
  }
  return { turns: [...turns.values()], tasks, webhooks, notifications };
}

const closed = (task: KnownTask, turn: number): KnownTask =>
  task.openTurns.includes(turn) ? { ...task, openTurns: task.openTurns.filter((each) => each !== turn) } : task;

/** Returns the tasks and messages of an arrival as stream events. */
function toldIn({ events, answer }: TurnArrival): readonly StreamResponse[] {
  if (events) return events;
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return [];
  const { tasks } = answer;
  if (Array.isArray(tasks)) return tasks.map((task) => ({ task: task as unknown as Task }));
  if ("status" in answer && "id" in answer) return [{ task: answer as unknown as Task }];
  return [answer as unknown as StreamResponse];
}

function learned(
  tasks: readonly KnownTask[],
  { task, statusUpdate, artifactUpdate }: StreamResponse,
  turn: TalkTurn | undefined,
): readonly KnownTask[] {
  const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
  if (id === undefined) return tasks;
  const known = tasks.find((each) => each.id === id) ?? { id, states: [], openTurns: [] };
  const contextId = task?.contextId ?? statusUpdate?.contextId ?? artifactUpdate?.contextId ?? known.contextId;
  const state = task?.status?.state ?? statusUpdate?.status?.state;
  const isStream = turn !== undefined && isStreamed(turn);
  const next: KnownTask = {
    id,
    ...(contextId !== undefined && { contextId }),
    states: state === undefined || state === known.states.at(-1) ? known.states : [...known.states, state],
    openTurns: isStream && !known.openTurns.includes(turn.turn) ? [...known.openTurns, turn.turn] : known.openTurns,
  };
  return [next, ...tasks.filter((each) => each.id !== id)];
}

export const isStreamed = ({ operation }: Pick<TalkTurn, "operation">): boolean =>
  operation === "SendStreamingMessage" || operation === "SubscribeToTask";

export const isOpen = ({ over }: TalkTurn): boolean => over === undefined;

/** Returns the id of the task that a turn belongs to, or undefined. */
export function taskOf({ request, arrivals }: TalkTurn): string | undefined {
  for (const arrival of arrivals)
    for (const { task, statusUpdate, artifactUpdate, message } of toldIn(arrival)) {
      const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? message?.taskId;
      if (id) return id;
    }
  const { id, taskId } = request;
  return typeof id === "string" ? id : typeof taskId === "string" ? taskId : undefined;
}

/** An item of the agent's response in a turn, assembled from its events. */
export type Said =
  | { readonly is: "message"; readonly message: Message }
  | { readonly is: "state"; readonly state: TaskState; readonly message?: Message; readonly ms: number }
  | {
      readonly is: "artifact";
      readonly id: string;
      readonly name?: string;
      readonly parts: readonly Part[];
      readonly chunks: number;
      readonly isWhole: boolean;
    }
  | { readonly is: "tasks"; readonly tasks: readonly Task[]; readonly more: boolean }
  | { readonly is: "other"; readonly json: unknown }
  | { readonly is: "unreadable"; readonly arrival: TurnArrival };

export function saidIn({ arrivals, operation }: TalkTurn): readonly Said[] {
  const said: Said[] = [];
  for (const arrival of arrivals) {
    if (arrival.violations.length > 0) said.push({ is: "unreadable", arrival });
    else if (arrival.events) for (const event of arrival.events) sayEvent(said, event, arrival.ms);
    else sayAnswer(said, arrival, operation);
  }
  return said;
}

function sayAnswer(said: Said[], { answer, ms }: TurnArrival, operation: TalkTurn["operation"]): void {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return;
  if (operation === "SendMessage") sayEvent(said, answer as unknown as StreamResponse, ms);
  else if (operation === "GetTask" || operation === "CancelTask")
    sayEvent(said, { task: answer as unknown as Task }, ms);
  else if (operation === "ListTasks") {
    const { tasks = [], nextPageToken } = answer as { tasks?: unknown; nextPageToken?: unknown };
    said.push({ is: "tasks", tasks: tasks as Task[], more: nextPageToken !== undefined && nextPageToken !== "" });
  } else said.push({ is: "other", json: answer });
}

function sayEvent(said: Said[], { task, message, statusUpdate, artifactUpdate }: StreamResponse, ms: number): void {
  if (message) said.push({ is: "message", message });
  const status = task?.status ?? statusUpdate?.status;
  if (status) said.push({ is: "state", state: status.state, ...(status.message && { message: status.message }), ms });
  for (const { artifactId, name, parts } of task?.artifacts ?? [])
    said.push({ is: "artifact", id: artifactId, ...(name && { name }), parts, chunks: 1, isWhole: true });
  if (!artifactUpdate?.artifact) return;
  const { artifact, append, lastChunk } = artifactUpdate;
  const { artifactId: id, name, parts } = artifact;
  const at = said.findLastIndex((each) => each.is === "artifact" && each.id === id);
  const before = said[at];
  if (append && before?.is === "artifact")
    said[at] = {
      ...before,
      parts: joined(before.parts, parts),
      chunks: before.chunks + 1,
      isWhole: lastChunk ?? false,
    };
  else said.push({ is: "artifact", id, ...(name && { name }), parts, chunks: 1, isWhole: lastChunk ?? false });
}

/** Appends text to preceding text and adds every other part as a new part. */
function joined(before: readonly Part[], more: readonly Part[]): readonly Part[] {
  const [last, first] = [before.at(-1), more[0]];
  if (last?.text === undefined || first?.text === undefined) return [...before, ...more];
  return [...before.slice(0, -1), { ...last, text: last.text + first.text }, ...more.slice(1)];
}

/** The verdict on a turn. A turn that was not judged is never green. */
export type TurnStanding = "waiting" | "valid" | "warned" | "invalid" | "unjudged";

export function standingOf({ arrivals, judged }: TalkTurn): TurnStanding {
  const ofAgent = judged?.breaches.filter(({ party }) => party === "agent") ?? [];
  if (arrivals.some(({ violations }) => violations.length > 0)) return "invalid";
  if (ofAgent.some(({ severity }) => severity === "fail")) return "invalid";
  if (!judged) return "waiting";
  if (ofAgent.length > 0) return "warned";
  return judged.unjudged === undefined ? "valid" : "unjudged";
}
