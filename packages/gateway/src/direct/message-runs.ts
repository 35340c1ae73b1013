import { setMaxListeners } from "node:events";
import { type AnswerOf, errorTable, isTerminal, type Task } from "@assay/protocol";
import { type PeerAnswer, type PeerError, type PeerInterface, whenAwakeFor } from "@assay/wire";
import type { ComparedInterface } from "./addresses.ts";
import type { AgentPath } from "./agent-path.ts";
import { type ComparedMessages, type ComparedStream, isOddStream } from "./judge-messages.ts";
import { bigText, concurrentStreams, isPartial, type LoadResults } from "./load-runs.ts";
import { artifactsOf, type MessageOutcome, sendMessage, type WatchedStream, watchStream } from "./messages.ts";

/** A message on one interface, compared on both paths. */
export interface MessageCase {
  readonly on: ComparedInterface;
  readonly is: "send" | "stream";
}

interface Results {
  readonly sent?: ComparedMessages<MessageOutcome>;
  readonly streams?: ComparedMessages<ComparedStream>;
}

/** A message that one of the paths has carried. */
interface Carried {
  readonly on: ComparedInterface;
  readonly path: AgentPath;
  readonly at: PeerInterface;
  readonly message: MessageOutcome;
}

type Send<T> = (path: AgentPath, at: PeerInterface, text: string, signal: AbortSignal) => Promise<T>;

/** Sends the messages of a run, and ends the tasks that they start. */
export class MessageRuns {
  readonly #direct: AgentPath;
  readonly #through: AgentPath;
  readonly #text: string;
  readonly #signal: AbortSignal;
  readonly #results = new Map<ComparedInterface, Results>();
  readonly #carried: Carried[] = [];
  readonly #lists = new Map<ComparedInterface, Promise<PeerAnswer<AnswerOf<"ListTasks">>>>();
  sent = 0;
  #sending = 0;

  constructor(
    direct: AgentPath,
    through: AgentPath,
    { text, signal }: { readonly text: string; readonly signal: AbortSignal },
  ) {
    this.#direct = direct;
    this.#through = through;
    this.#text = text;
    this.#signal = signal;
  }

  get isSending(): boolean {
    return this.#sending > 0;
  }

  async run(cases: readonly MessageCase[]): Promise<void> {
    for (const { on, is } of cases) {
      const more =
        is === "send"
          ? {
              sent: await this.#compare(
                on,
                sendMessage,
                async (sent) => sent,
                ({ is: how }) => how === "failed",
              ),
            }
          : { streams: await this.#compare(on, watchStream, (stream) => this.#completed(on, stream), isOddStream) };
      this.#results.set(on, { ...this.#results.get(on), ...more });
    }
  }

  resultsOn(on: ComparedInterface): Results {
    return this.#results.get(on) ?? {};
  }

  /** The id of a task that is over, so that it does not change any more. */
  get finishedTask(): string | undefined {
    return this.#carried.flatMap(({ message: { task } }) => (task?.isOver ? task.id : [])).at(0);
  }

  async #compare<T extends MessageOutcome, U extends T>(
    on: ComparedInterface,
    send: Send<T>,
    complete: (sent: T) => Promise<U>,
    isOdd: (through: U, direct: readonly U[]) => boolean,
  ): Promise<ComparedMessages<U>> {
    const via = async (name: "direct" | "through"): Promise<U> => complete(await this.#send(on, name, send));
    const direct = [await via("direct")];
    const through = [await via("through")];
    direct.push(await via("direct"));
    if (isOdd(through[0]!, direct)) through.push(await via("through"));
    return { direct, through };
  }

  async #send<T extends MessageOutcome>(
    on: ComparedInterface,
    name: "direct" | "through",
    send: Send<T>,
    text = this.#text,
  ): Promise<T> {
    this.#signal.throwIfAborted();
    const [path, at] = [name === "direct" ? this.#direct : this.#through, on[name]];
    this.sent++;
    this.#sending++;
    const message = await send(path, at, text, this.#signal).finally(() => this.#sending--);
    this.#carried.push({ on, path, at, message });
    return message;
  }

  /** Sends a message of 10 MB, and 50 streams at once. What fails through the gateway is repeated on both paths. */
  async load(on: ComparedInterface, isStreaming: boolean): Promise<LoadResults> {
    const twice = async <T>(
      once: (name: "direct" | "through") => Promise<T>,
      isOdd: (sent: T) => boolean,
    ): Promise<{ direct: readonly T[]; through: readonly T[] }> => {
      const direct = [await once("direct")];
      if (isOdd(direct[0]!)) return { direct, through: [] };
      const through = [await once("through")];
      if (!isOdd(through[0]!)) return { direct, through };
      through.push(await once("through"));
      direct.push(await once("direct"));
      return { direct, through };
    };
    const text = bigText();
    const big = await twice(
      (name) => this.#send(on, name, sendMessage, text),
      ({ is }) => is !== "answered",
    );
    if (!isStreaming) return { big };
    const round = (name: "direct" | "through"): Promise<readonly WatchedStream[]> =>
      Promise.all(Array.from({ length: concurrentStreams }, () => this.#send(on, name, watchStream)));
    return { big, streams: await twice(round, isPartial) };
  }

  /** Compares the artifacts of a stream with those that the agent returns directly. */
  async #completed(on: ComparedInterface, stream: WatchedStream): Promise<ComparedStream> {
    const { task, artifacts } = stream;
    if (!task) return { ...stream, isComplete: stream.ends ? true : undefined };
    const answer = await this.#direct.peer(on.direct).call("GetTask", { id: task.id }, this.#signal);
    if (answer.is !== "value" || !isTerminal(answer.value.status.state)) return { ...stream, isComplete: undefined };
    const kept = artifactsOf(answer.value);
    const isComplete = kept.size === artifacts.size && [...kept].every(([id, text]) => artifacts.get(id) === text);
    return { ...stream, isComplete };
  }

  /** Cancels the tasks that are not over, and names those that may still run. The run may have been interrupted. */
  async cancelAll(): Promise<readonly string[]> {
    const limit = new AbortController();
    setMaxListeners(0, limit.signal);
    // On a busy machine, the responses may wait unread.
    const stop = whenAwakeFor(cancelMs, () => limit.abort());
    const left = await Promise.all(
      this.#carried.map((carried) => this.#cancelled(carried, limit.signal).catch(() => nameOf(carried))),
    );
    stop();
    return left.flatMap((name) => name ?? []);
  }

  /** Cancels the task of a message. Returns its name if it may still run. */
  async #cancelled(carried: Carried, signal: AbortSignal): Promise<string | undefined> {
    const { path, at, message } = carried;
    if (message.task?.isOver) return undefined;
    const found = message.task ?? (message.is === "failed" ? await this.#taskOf(carried, signal) : undefined);
    if (found === "unknown") return nameOf(carried);
    if (!found) return undefined;
    const answer = await path.peer(at).call("CancelTask", { id: found.id }, signal);
    return answer.is === "value" || (answer.is === "error" && isOverAlready(answer.error)) ? undefined : found.id;
  }

  /** Finds the task of a message without a response. Versions before 1.0 have no list. */
  async #taskOf({ on, message }: Carried, signal: AbortSignal): Promise<{ id: string } | "unknown" | undefined> {
    if (on.dialect !== "1.0") return "unknown";
    // Load tests may lose many messages. One list is enough for all of them.
    const asked = this.#lists.get(on) ?? this.#direct.peer(on.direct).call("ListTasks", { pageSize: 100 }, signal);
    this.#lists.set(on, asked);
    const listed = await asked;
    if (listed.is !== "value") return "unknown";
    const { tasks, nextPageToken } = listed.value;
    const isIts = ({ history = [] }: Pick<Task, "history">): boolean =>
      history.some(({ messageId }) => messageId === message.messageId);
    const found = tasks.find((task) => !isTerminal(task.status.state) && isIts(task));
    return found ?? (nextPageToken ? "unknown" : undefined);
  }
}

/** The time for all cancellations. */
const cancelMs = 5_000;

/** Only JSON-RPC has codes. */
const isOverAlready = ({ code, reason }: Pick<PeerError, "code" | "reason">): boolean =>
  [errorTable.TaskNotFound, errorTable.TaskNotCancelable].some((row) => code === row.code || reason === row.reason);

const nameOf = ({ message: { task, messageId } }: Carried): string => task?.id ?? `the task of message ${messageId}`;
