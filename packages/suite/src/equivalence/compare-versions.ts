import { asList, asObject, asText } from "../answers/loose-json.ts";
import { describeReply, isEnded, type LooseTask, resultOf, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { bothCards, inNewerVersion, madeInNewerVersion } from "../observations/both-versions.ts";
import { ifMade } from "../observations/sent-calls.ts";
import { taskAtRest } from "../observations/sent-message.ts";
import { readElsewhere, untilSeen } from "../observations/until-seen.ts";
import {
  type ComparedSubject,
  comparedSubjects,
  type VersionComparison,
  type VersionsCompared,
} from "../report/events.ts";
import { bindingName } from "../report/group.ts";
import { interfaceName } from "../runner/interface-name.ts";
import { cardDifference } from "./same-card.ts";
import { type ComparedError, isError } from "./same-error.ts";
import { taskDifference, taskSubjects } from "./same-task.ts";

/** Both versions list more messages than any task of a run has. */
const historyLength = 100;

/** A context of a run has few tasks, so more pages than this come from a list without an end. */
const mostPages = 20;

/** Compares an interface of an older version with 1.0; undefined if the agent does not declare 1.0 as well. */
export async function compareVersions(older: Target): Promise<VersionsCompared | undefined> {
  if (older.on.dialect === "1.0") return undefined;
  let newer: Target;
  try {
    newer = inNewerVersion(older);
  } catch (error) {
    if (error instanceof Obstacle) return undefined;
    throw error;
  }
  const comparisons = await new Comparison(older, newer).all();
  return {
    event: "versions-compared",
    older: interfaceName(older.on),
    newer: interfaceName(newer.on),
    comparisons: comparedSubjects.flatMap((subject) => comparisons.find((each) => each.subject === subject) ?? []),
  };
}

/** Describes the result in sentences for the report. */
export function comparisonNotes({ older, comparisons }: VersionsCompared): string[] {
  const where = `${older.dialect} and 1.0 over ${bindingName(older.binding)}`;
  const told = (is: VersionComparison["is"]): string[] =>
    comparisons.filter((each) => each.is === is).map(({ subject, message }) => `${subject}: ${message}`);
  const [differs, open] = [told("differs"), told("not-compared")];
  const same = comparisons.length - differs.length - open.length;
  return [
    ...differs.map((text) => `${where} differ: ${text}`),
    ...(differs.length ? [] : [`${where}: ${same} of ${comparisons.length} comparisons are the same, none differs`]),
    ...open.map((text) => `${where}, not compared: ${text}`),
  ];
}

/** A task in both versions. */
interface InBoth {
  readonly inOlder: Call;
  readonly inNewer: Call;
}

class Comparison {
  readonly #older: Target;
  readonly #newer: Target;
  /** the versions share an address, so they are one server */
  readonly #isOnePlace: boolean;
  readonly #found = new Map<ComparedSubject, VersionComparison>();

  constructor(older: Target, newer: Target) {
    this.#older = older;
    this.#newer = newer;
    this.#isOnePlace = older.on.url === newer.on.url && older.on.binding === newer.on.binding;
  }

  async all(): Promise<VersionComparison[]> {
    const [older, newer] = [this.#older, this.#newer];
    await this.#try("card", () => this.#compareCards());
    const made = await ifMade(older.observe(taskAtRest));
    const other =
      (await ifMade(older.observe(madeInNewerVersion)))?.task ?? (await ifMade(newer.observe(taskAtRest)))?.last;
    const first = await this.#inBoth("task from the older version", older, newer, made?.last);
    const second = await this.#inBoth("task from 1.0", newer, older, other);
    for (const task of [first, second]) if (task) await this.#compareTask(task);
    for (const subject of taskSubjects) this.#open(subject, "no task could be read in both versions");
    const ended = [first, second].flatMap((task) => (task ? (taskIn(task.inNewer) ?? []) : []));
    await this.#try("list", () => this.#compareList(ended));
    await this.#try("cancelled task", () => this.#compareCancelled());
    await this.#try("unknown task", () => this.#compareErrors("unknown task", "TaskNotFound", older.unknownId()));
    const over = ended.find(({ state }) => isEnded(state));
    if (over)
      await this.#try("cancel of an ended task", () =>
        this.#compareErrors("cancel of an ended task", "TaskNotCancelable", over.id),
      );
    return [...this.#found.values()];
  }

  /** Keeps the first result of a subject, and replaces it only by a difference. */
  #tell(
    subject: ComparedSubject,
    is: VersionComparison["is"],
    message?: string,
    calls: readonly Pick<Call, "exchange">[] = [],
  ): void {
    if (this.#found.has(subject) && (is !== "differs" || this.#found.get(subject)!.is === "differs")) return;
    const evidence = calls.map(({ exchange }) => exchange.id);
    this.#found.set(subject, {
      subject,
      is,
      ...(message !== undefined && { message }),
      ...(evidence.length && { evidence }),
    });
  }

  #open(subject: ComparedSubject, because: string): void {
    this.#tell(subject, "not-compared", because);
  }

  /** An obstacle is not a difference. */
  async #try(subject: ComparedSubject, compare: () => Promise<void>): Promise<void> {
    try {
      await compare();
    } catch (error) {
      if (!(error instanceof Obstacle)) throw error;
      this.#open(subject, error.message);
    }
  }

  async #compareCards(): Promise<void> {
    const { newer, older } = await this.#older.observe(bothCards);
    const differs = cardDifference(older.json, newer.json);
    if (!differs) return this.#tell("card", "same");
    const text = `${differs.member} is ${differs.older} in ${this.#older.on.dialect} and ${differs.newer} in 1.0`;
    this.#tell("card", "differs", text, [older, newer]);
  }

  /** Reads a task in the other version. Versions at different addresses may keep their own tasks. */
  async #inBoth(
    subject: ComparedSubject,
    maker: Target,
    reader: Target,
    task: LooseTask | undefined,
  ): Promise<InBoth | undefined> {
    if (!task) {
      this.#open(subject, `the run made no task in ${maker.on.dialect} that ended or waits`);
      return undefined;
    }
    let both: InBoth | undefined;
    await this.#try(subject, async () => {
      const { got, here } = await readElsewhere(reader, maker, task.id);
      if (taskIn(got)) {
        this.#tell(subject, "same");
        both = await this.#read(task.id);
        return;
      }
      if (!here || !taskIn(here)) return this.#open(subject, "the task no longer exists");
      const text = `a task created in ${maker.on.dialect} does not exist in ${reader.on.dialect} (${describeReply(got)})`;
      if (this.#isOnePlace) this.#tell(subject, "differs", text, [here, got]);
      else
        this.#open(
          subject,
          `${text}. The versions have different addresses, and the specification does not require them to share tasks`,
        );
    });
    return both;
  }

  async #read(id: string): Promise<InBoth> {
    const params = { id, historyLength };
    const inOlder = await this.#older.call("GetTask", params);
    // 0.1 and 0.3 share the method, and a request does not say which of the two it means.
    if (this.#older.on.dialect === "0.1" && inOlder.said.is === "result" && asObject(inOlder.said.json)?.["contextId"])
      throw skipped("not-triggered", "the agent answers tasks/get in the form of a later version");
    return { inOlder, inNewer: await this.#newer.call("GetTask", params) };
  }

  async #compareTask(both: InBoth): Promise<void> {
    for (const subject of taskSubjects)
      await this.#try(subject, async () => {
        const differing = this.#differenceIn(subject, both);
        if (differing === undefined) return this.#tell(subject, "same");
        // A replica may lag, and a task may change while it is read.
        const again = await untilSeen(
          this.#older,
          "read",
          () => this.#read(taskIn(both.inNewer)!.id),
          (read) => this.#differenceIn(subject, read) === undefined,
        );
        const path = this.#differenceIn(subject, again);
        if (path === undefined) return this.#tell(subject, "same");
        const versions = `${this.#older.on.dialect} and 1.0`;
        this.#tell(subject, "differs", `${path} differs between ${versions}`, [again.inOlder, again.inNewer]);
      });
  }

  #differenceIn(subject: ComparedSubject, { inOlder, inNewer }: InBoth): string | undefined {
    const [one, other] = [taskIn(inOlder), taskIn(inNewer)];
    if (!one || !other) return "the task";
    return taskDifference(subject, one, other, this.#older.on);
  }

  /** Only 1.0 has a list. It must contain tasks of both versions. */
  async #compareList(tasks: readonly LooseTask[]): Promise<void> {
    if (tasks.length === 0) return this.#open("list", "no task could be read in both versions");
    for (const task of tasks) {
      const read = () => this.#listed(task);
      const { call, has } = await untilSeen(this.#newer, "list", read, ({ has: isListed }) => isListed !== false);
      if (has === undefined)
        return this.#open("list", `1.0 does not list the tasks of a context (${describeReply(call)})`);
      if (!has)
        return this.#tell("list", "differs", "ListTasks of 1.0 does not contain a task that both versions return", [
          call,
        ]);
    }
    this.#tell("list", "same");
  }

  /** Looks for a task in the list of its context, page by page. Undefined if the list cannot be read to its end. */
  async #listed({ id, contextId }: LooseTask): Promise<{ readonly call: Call; readonly has: boolean | undefined }> {
    let token = "";
    for (let page = 1; ; page++) {
      const params = {
        pageSize: 100,
        ...(contextId !== undefined && { contextId }),
        ...(token && { pageToken: token }),
      };
      const call = await this.#newer.call("ListTasks", params);
      const list = asObject(resultOf(call));
      if (!list) return { call, has: undefined };
      if (asList(list["tasks"]).some((task) => asObject(task)?.["id"] === id)) return { call, has: true };
      token = asText(list["nextPageToken"]) ?? "";
      if (token === "") return { call, has: false };
      if (page === mostPages) return { call, has: undefined };
    }
  }

  async #compareCancelled(): Promise<void> {
    const isCancelled = ({ state }: LooseTask): boolean => state === "TASK_STATE_CANCELED";
    const task = this.#older.knownTask(isCancelled) ?? this.#newer.knownTask(isCancelled);
    if (!task) return this.#open("cancelled task", "the run cancelled no task");
    const statesIn = ({ inOlder, inNewer }: InBoth) => [inOlder, inNewer].map((call) => taskIn(call)?.state);
    // A replica may lag.
    const both = await untilSeen(
      this.#older,
      "read",
      () => this.#read(task.id),
      (read) => new Set(statesIn(read)).size === 1,
    );
    const states = statesIn(both);
    if (states.every((state) => state === undefined))
      return this.#open("cancelled task", "the agent does not keep the task");
    if (states.includes(undefined) && !this.#isOnePlace)
      return this.#open("cancelled task", "each version keeps its own tasks");
    if (states[0] === states[1]) return this.#tell("cancelled task", "same");
    const text = `a cancelled task is ${states[0] ?? "missing"} in ${this.#older.on.dialect} and ${states[1] ?? "missing"} in 1.0`;
    this.#tell("cancelled task", "differs", text, [both.inOlder, both.inNewer]);
  }

  async #compareErrors(subject: ComparedSubject, name: ComparedError, id: string): Promise<void> {
    const operation = name === "TaskNotFound" ? "GetTask" : "CancelTask";
    const ask = async () => [await this.#older.call(operation, { id }), await this.#newer.call(operation, { id })];
    const isAlike = (answers: readonly Call[]): boolean =>
      new Set(answers.map((call) => isError(call, name))).size === 1;
    const calls = await untilSeen(this.#older, "read", ask, isAlike);
    if (isAlike(calls)) return this.#tell(subject, "same");
    const [one, other] = calls.map(describeReply);
    this.#tell(
      subject,
      "differs",
      `${operation} returns ${one} in ${this.#older.on.dialect} and ${other} in 1.0`,
      calls,
    );
  }
}
