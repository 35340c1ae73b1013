import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isResting, isTerminal, type SendMessageRequest, type StreamResponse, type Task } from "@assay/protocol";
import { type Exchange, type PeerInterface, timeLimit } from "@assay/wire";
import type { AgentPath } from "./agent-path.ts";

/** A task that a message started. */
export interface StartedTask {
  readonly id: string;
  readonly isOver: boolean;
}

/** A message to the agent, and its result. */
export interface MessageOutcome {
  readonly exchange: Exchange;
  readonly messageId: string;
  /** answered: a valid response. error: an error of A2A. failed: neither. */
  readonly is: "answered" | "error" | "failed";
  readonly task?: StartedTask;
}

/** A stream, with its events as they arrived. */
export interface WatchedStream extends MessageOutcome {
  /** milliseconds from the request to each event */
  readonly at: readonly number[];
  /** the longest time in which Assay itself was too busy to notice an event */
  readonly stallMs: number;
  /** the first event is the task or the message */
  readonly opens: boolean;
  /** the task is at rest, or the message arrived */
  readonly ends: boolean;
  /** Assay closed it, because it did not end in time */
  readonly isEndless: boolean;
  /** the text of each artifact that the events make up */
  readonly artifacts: ReadonlyMap<string, string>;
}

/** The longest time for one stream. */
const streamMs = 300_000;

const requestOf = (text: string): SendMessageRequest => ({
  message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }] },
});

export async function sendMessage(
  path: AgentPath,
  on: PeerInterface,
  text: string,
  signal: AbortSignal,
): Promise<MessageOutcome> {
  const request = requestOf(text);
  const answer = await path.peer(on).call("SendMessage", request, signal);
  const { exchange } = answer;
  const { messageId } = request.message;
  if (answer.is !== "value") return { exchange, messageId, is: answer.is === "error" ? "error" : "failed" };
  const { task } = answer.value;
  return { exchange, messageId, is: "answered", ...(task && { task: startedTask(task) }) };
}

const startedTask = ({ id, status }: Pick<Task, "id" | "status">): StartedTask => ({
  id,
  isOver: isTerminal(status.state),
});

/** Follows a stream until its task rests. */
export async function watchStream(
  path: AgentPath,
  on: PeerInterface,
  text: string,
  signal: AbortSignal,
): Promise<WatchedStream> {
  const request = requestOf(text);
  const limit = timeLimit(streamMs);
  const stall = watchStalls();
  const stream = await path.peer(on).stream("SendStreamingMessage", request, AbortSignal.any([signal, limit]));
  const at: number[] = [];
  const artifacts = new Map<string, string>();
  let [opens, ends] = [false, false];
  let is: MessageOutcome["is"] = "answered";
  let task: StartedTask | undefined;
  for await (const event of stream.events) {
    if (event.is !== "value") {
      is = event.is === "error" ? "error" : "failed";
      break;
    }
    const { value } = event;
    if (at.push(event.at) === 1) opens = value.task !== undefined || value.message !== undefined;
    addArtifacts(artifacts, value);
    task = taskAfter(task, value);
    const state = (value.task ?? value.statusUpdate)?.status.state;
    ends = value.message !== undefined || (state !== undefined && isResting(state));
    // Some agents keep the stream of a task open that waits for the user.
    if (ends) break;
  }
  stream.close();
  const stallMs = stall();
  const exchange = await stream.finished;
  const isEndless = limit.aborted;
  const { messageId } = request.message;
  return { exchange, messageId, is, at, stallMs, opens, ends, isEndless, artifacts, ...(task && { task }) };
}

/**
 * Measures how long the process was blocked, so that not even its timers ran. The returned function ends the
 * measurement and returns the longest time in milliseconds.
 */
function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return () => {
    delays.disable();
    // The longest delay, in nanoseconds.
    return delays.max / 1e6;
  };
}

function taskAfter(before: StartedTask | undefined, event: StreamResponse): StartedTask | undefined {
  if (event.task) return startedTask(event.task);
  if (event.statusUpdate) return startedTask({ id: event.statusUpdate.taskId, status: event.statusUpdate.status });
  return before ?? (event.artifactUpdate && { id: event.artifactUpdate.taskId, isOver: false });
}

type Parts = readonly { readonly text?: string }[];

const textOf = (parts: Parts): string => parts.map(({ text = "" }) => text).join("");

function addArtifacts(artifacts: Map<string, string>, { task, artifactUpdate }: StreamResponse): void {
  for (const [id, text] of artifactsOf(task)) artifacts.set(id, text);
  if (!artifactUpdate) return;
  const { artifactId, parts } = artifactUpdate.artifact;
  const before = artifactUpdate.append ? (artifacts.get(artifactId) ?? "") : "";
  artifacts.set(artifactId, `${before}${textOf(parts)}`);
}

/** Returns the text of each artifact of a task. */
export const artifactsOf = (task: Pick<Task, "artifacts"> | undefined): Map<string, string> =>
  new Map((task?.artifacts ?? []).map(({ artifactId, parts }) => [artifactId, textOf(parts)]));
