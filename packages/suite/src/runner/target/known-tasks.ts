import type { JsonObject, Operation } from "@assay/protocol";
import type { Arrived } from "@assay/wire";
import { isNotFound, matches } from "../../answers/expect-error.ts";
import { asObject, asText } from "../../answers/loose-json.ts";
import { isSend } from "../../answers/operations-of.ts";
import { isEnded, isWaiting, type LooseTask, looseEvent, resultOf, taskIn, tasksIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { Obstacle, skipped } from "../../define/obstacle.ts";
import type { How, Target } from "../../define/target.ts";
import { askedFor, configLagMs, untilSeen } from "../../observations/until-seen.ts";
import { restartedMeanwhile } from "./failed-retries.ts";

/** Minimum assumed lag in milliseconds, if reads lag at all. */
const leastLagMs = 1_000;
/** After this many lost tasks, Assay stops waiting for the next one. */
const patience = 2;

type Place = Pick<Target, "principal" | "on">;
type Asker = Place & Pick<Target, "now" | "sleep" | "due" | "grace" | "quiet">;

interface KnownTask {
  isEnded: boolean;
  /** it waits for the user, so it does not end by itself */
  isWaiting: boolean;
  /** GetTask has returned it */
  wasFound: boolean;
  /** the agent may have restarted since it showed the task */
  mayBeLost: boolean;
  /** its push configurations by id: `stored` until `deleted` */
  readonly configs: Map<string, "stored" | "deleted">;
}

/** A request that names a task, and how to send it. */
export interface Asked<T> {
  readonly operation: Operation;
  readonly params: JsonObject;
  readonly how: Pick<How, "fair" | "mayBeGone">;
  readonly ask: () => Promise<T>;
  /** the response as a call; undefined while it is an open stream */
  readonly callIn: (answer: T) => Promise<Call | undefined>;
  /** calls GetTask, and returns even if the task is gone */
  readonly read: (id: string) => Promise<Call>;
}

/** A first response that contradicts earlier ones. */
interface LateAnswer<T> {
  readonly id: string;
  readonly known: KnownTask;
  readonly first: T;
  readonly fits: (answer: T) => Promise<boolean>;
}

/**
 * The tasks and push configurations that the agent has shown to each principal. Three rules follow for every request:
 * - The agent may not find what it has shown, or show what it has deleted, because a replica lags. Assay repeats the
 *   request until the grace time ends.
 * - An ended task may be purged at any time (§3.3.2). Whatever needs it is not examined.
 * - A restart may lose a task. Whatever needs it is observed again with another task.
 */
export class KnownTasks {
  readonly #tasks = new Map<string, KnownTask>();
  /** the last complete version of each task, by the interface that showed it */
  readonly #shown = new Map<string, { readonly task: LooseTask; readonly asker: string }>();
  readonly #gone = new Set<string>();
  /** the number of useless waits, by operation */
  readonly #uselessWaits = new Map<Operation, number>();
  #longestLag = 0;

  learn(call: Call, place: Place): void {
    const { operation, params } = call;
    const isAnswer = operation === "SendMessage" && asObject(params?.["message"])?.["taskId"] !== undefined;
    for (const { id, state } of tasksIn(call)) {
      if (this.#isForeign(id, operation, place)) continue;
      const known = this.#learnState(id, state, place, isAnswer);
      if (operation === "GetTask") known.wasFound = true;
    }
    this.#learnConfig(call, place);
    const task = isLimited(call) ? undefined : taskIn(call);
    if (task) this.#shown.set(keyOf(task.id, place), { task, asker: placeOf(place) });
  }

  /** Reads an event of an open stream. */
  hear(frame: Arrived, operation: Operation, place: Place): void {
    const { taskId, state } = looseEvent(frame) ?? {};
    if (taskId !== undefined && !this.#isForeign(taskId, operation, place))
      this.#learnState(taskId, state, place, isSend(operation));
  }

  /** Another principal's task that is not found next time is not a sign of a lag. */
  #isForeign(id: string, operation: Operation | undefined, place: Place): boolean {
    const isBegun = operation !== undefined && isSend(operation);
    return place.principal !== "user" && !isBegun && !this.#tasks.has(keyOf(id, place));
  }

  /** The agent may have restarted and forgotten what it showed. */
  mayBeLost(): void {
    this.#shown.clear();
    for (const known of this.#tasks.values()) known.mayBeLost = true;
  }

  /** Returns a task that this interface has shown, latest first. */
  recall(place: Place, isMeant: (task: LooseTask) => boolean): LooseTask | undefined {
    const here = [...this.#shown.values()].filter((each) => each.asker === placeOf(place));
    return here.findLast(({ task }) => isMeant(task))?.task;
  }

  /** Returns the ids of the stored and of the deleted push configurations of a task. */
  configsOf(taskId: string, place: Place): { readonly stored: readonly string[]; readonly deleted: readonly string[] } {
    const known = [...(this.#tasks.get(keyOf(taskId, place))?.configs ?? [])];
    const inState = (wanted: string) => known.flatMap(([id, state]) => (state === wanted ? [id] : []));
    return { stored: inState("stored"), deleted: inState("deleted") };
  }

  /** The agent rejects a message because it does not find its own task. */
  isUnfound(params: JsonObject, call: Call, place: Place): boolean {
    const id = asText(asObject(params["message"])?.["taskId"]);
    return id !== undefined && this.#tasks.has(keyOf(id, place)) && matches(call, "TaskNotFound") !== undefined;
  }

  /** Milliseconds by which reads may be out of date; 0 if no lag was seen. */
  get lag(): number {
    return this.#longestLag && Math.max(leastLagMs, 2 * this.#longestLag);
  }

  /** Repeats the request until the response matches what the agent has shown, or the grace time ends. */
  async settled<T>(asked: Asked<T>, asker: Asker): Promise<T> {
    const { operation, params, ask, callIn } = asked;
    const id = taskNamedIn(operation, params);
    const known = id === undefined ? undefined : this.#tasks.get(keyOf(id, asker));
    const first = await ask();
    if (id === undefined || !known) return first;
    const fits = async (answer: T): Promise<boolean> => {
      const call = await callIn(answer);
      return !call || !isLate(operation, params, call, known);
    };
    if (await fits(first)) return first;

    const askedAt = asker.now();
    // An ended task was stored, so finding it only later is due to the store.
    const showsLag = operation === "GetTask" && known.isEnded;
    const answer = await this.#askLater(asked, { id, known, first, fits }, asker);
    if (showsLag && (await fits(answer))) this.#longestLag = Math.max(this.#longestLag, asker.now() - askedAt);
    return answer;
  }

  async #askLater<T>(
    { operation, params, how, ask, callIn, read }: Asked<T>,
    { id, known, first, fits }: LateAnswer<T>,
    asker: Asker,
  ): Promise<T> {
    const again = startingWith(first, ask);
    const isUnfound = isNotFound((await callIn(first))!);
    if (isUnfound && isRead(operation, params)) {
      if (known.mayBeLost) {
        const { answer, shows } = await askedFor(asker, asker.quiet, again, fits);
        if (shows) return answer;
        throw new Obstacle(restartedMeanwhile);
      }
      if (!mayBeGone(known)) return this.#wait(operation, asker, again, fits);
      const isPurger = this.#gone.size >= patience;
      const { answer, shows } = await askedFor(asker, isPurger ? 0 : asker.quiet, again, fits);
      if (shows) return answer;
      this.#gone.add(keyOf(id, asker));
      if (how.mayBeGone) return answer;
      throw notKept();
    }
    if (isUnfound && matches(await read(id), "TaskNotFound")) {
      if (mayBeGone(known) && !how.mayBeGone) throw notKept();
      return mayBeGone(known) ? first : ask();
    }
    // A wrong request may be rejected as not found, and an ended task may lose its configurations (AMB-35).
    const isOpen = how.fair === false || (isOfConfigs(operation) && known.isEnded);
    return this.#wait(operation, asker, again, fits, isOpen ? asker.quiet : undefined);
  }

  async #wait<T>(
    operation: Operation,
    asker: Asker,
    ask: () => Promise<T>,
    fits: (answer: T) => Promise<boolean>,
    atMost = isOfConfigs(operation) ? Math.min(asker.grace, configLagMs) : undefined,
  ): Promise<T> {
    const before = this.#uselessWaits.get(operation) ?? 0;
    if (before >= patience) return ask();
    const answer =
      atMost === undefined
        ? await untilSeen(asker, "read", ask, fits)
        : (await askedFor(asker, atMost, ask, fits)).answer;
    if (!(await fits(answer))) this.#uselessWaits.set(operation, before + 1);
    return answer;
  }

  /** `isLatest`: this is the current state, even if the task had ended before. */
  #learnState(id: string, state: string | undefined, place: Place, isLatest: boolean): KnownTask {
    const key = keyOf(id, place);
    const known = this.#tasks.get(key) ?? {
      isEnded: false,
      isWaiting: false,
      wasFound: false,
      mayBeLost: false,
      configs: new Map(),
    };
    known.mayBeLost = false;
    this.#tasks.set(key, known);
    if (state === undefined) return known;
    known.isEnded = isEnded(state) || (known.isEnded && !isLatest);
    known.isWaiting = isWaiting(state);
    return known;
  }

  #learnConfig({ operation, params, reply, on }: Call, place: Place): void {
    if (reply.is !== "result") return;
    const shown = operation === "CreateTaskPushNotificationConfig" ? asObject(reply.json) : undefined;
    const taskId = asText(shown?.["taskId"]) || asText(params?.["taskId"]);
    const known = taskId ? this.#tasks.get(keyOf(taskId, place)) : undefined;
    if (operation === "CreateTaskPushNotificationConfig") {
      const id = configNamedIn(shown, on);
      if (id) known?.configs.set(id, "stored");
    }
    if (operation === "DeleteTaskPushNotificationConfig") {
      const id = configNamedIn(params, on);
      if (id && known?.configs.has(id)) known.configs.set(id, "deleted");
    }
  }
}

const notKept = () => skipped("not-triggered", "the agent does not keep ended tasks");

/** The task has ended, or may have since it was last seen, and an ended task may be purged. */
const mayBeGone = ({ isEnded: hasEnded, isWaiting: waits, wasFound }: KnownTask): boolean =>
  hasEnded || (wasFound && !waits);

/** The response contradicts what the agent has shown before. */
function isLate(operation: Operation, params: JsonObject, call: Call, known: KnownTask): boolean {
  if (operation === "GetTask") {
    const task = taskIn(call);
    if (task) return known.isEnded && !isEnded(task.state);
  }
  if (operation === "GetTaskPushNotificationConfig" || operation === "DeleteTaskPushNotificationConfig") {
    const id = configNamedIn(params, call.on);
    const states = id === undefined ? [...known.configs.values()] : [known.configs.get(id)];
    if (states.includes("stored")) return isNotFound(call);
    const isRead = operation === "GetTaskPushNotificationConfig";
    return isRead && states.includes("deleted") && asText(asObject(resultOf(call))?.["url"]) !== undefined;
  }
  return matches(call, "TaskNotFound") !== undefined;
}

/** Returns true for a plain request for the task itself. */
const isRead = (operation: Operation, { id, tenant, ...others }: JsonObject): boolean =>
  operation === "GetTask" && Object.keys(others).length === 0;

const isOfConfigs = (operation: Operation): boolean => operation.includes("PushNotificationConfig");

function taskNamedIn(operation: Operation, params: JsonObject): string | undefined {
  if (isSend(operation)) return asText(asObject(params["message"])?.["taskId"]);
  return asText(params[isOfConfigs(operation) ? "taskId" : "id"]);
}

/** In 0.1 a task has one configuration without a name. */
const configNamedIn = (params: JsonObject | undefined, { dialect }: Call["on"]): string | undefined =>
  dialect === "0.1" ? "the only one" : asText(params?.["id"]) || undefined;

/** Returns this response first, then asks for the others. */
function startingWith<T>(first: T, ask: () => Promise<T>): () => Promise<T> {
  let isGiven = false;
  return async () => {
    if (isGiven) return ask();
    isGiven = true;
    return first;
  };
}

/** Returns true if the request limits the history. */
const isLimited = ({ params }: Call): boolean =>
  [params, asObject(params?.["configuration"])].some((each) => each?.["historyLength"] !== undefined);

const placeOf = ({ principal, on }: Place): string =>
  JSON.stringify([principal, on.url, on.binding, on.dialect, on.tenant]);

const keyOf = (id: string, { principal, on }: Place): string => JSON.stringify([id, principal, on.tenant]);
