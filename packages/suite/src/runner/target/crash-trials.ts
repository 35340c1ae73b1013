import { isBrokenOff } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Evidence } from "../../define/finding.ts";
import type { Restarts } from "./restarts.ts";
import { type AttemptResult, endingOf } from "./retry.ts";

/** How often a request, sent alone, has to end the process of the agent. */
const enoughExits = 2;
/** How soon after the request the process has to exit. */
const exitWithinMs = 2_000;
/** How often it has to end the connection of an agent whose process we cannot see, and how many twins have to be answered. */
const enoughCuts = 3;
/** One more than is needed: on a busy machine an exit may be noticed too late to count. */
const mostTrials = 4;
/** After this many crashes are proven, no more malformed requests are sent: each costs the agent several restarts. */
const enoughCrashes = 8;
/** How often a request that is answered, sent alone, has to be followed by the exit of the process: every time. */
const lateExits = 4;
/** How many well-formed twins must not be followed by one, before these trials and once more after them. */
const lateTwins = 2;
/** How many exits after answered requests are looked into in a run: each takes half a minute. */
const mostLateInquiries = 3;
/** How many answered requests are kept to look for the one that the process exits after. */
const mostAnswered = 200;

/** What proves a crash: the process exits without a response, or after one; or the connection closes, and no process is seen. */
export type CrashKind = "exit" | "exit-after-response" | "closed-connection";

/** A request that the agent crashes on, as it was proven. */
export interface Crash {
  readonly how: CrashKind;
  /** the last of its trials */
  readonly call: Call;
  /** what was seen, and how often */
  readonly saw: string;
  /** the name of the observation that sent it */
  readonly observation: string | undefined;
  /** the rule whose check sent it, where no observation did */
  readonly check: string | undefined;
}

/** Makes one harmless call on the same interface; whether it is answered in the time. */
export type Control = (withinMs: number) => Promise<boolean>;

/** How long a control call may take. */
export const controlMs = 10_000;

interface SentRequest {
  readonly call: Call;
  readonly observation: string | undefined;
  readonly check: string | undefined;
  /** Sends a well-formed request of the same operation and size in the same way; undefined where no message is left for it. */
  readonly twin: () => Promise<Call | undefined>;
  readonly control: Control;
}

/** A malformed request that the agent has answered: its process may exit a moment later. */
export interface AnsweredRequest extends SentRequest {
  /** Sends it once more, past every queue and over a fresh connection; undefined where no message is left for it. */
  readonly again: () => Promise<Call | undefined>;
}

/** A request whose connection ended without an answer. */
export interface Suspect<T> extends SentRequest {
  /** Sends it once more, past every queue and over a fresh connection. */
  readonly again: () => Promise<AttemptResult<T>>;
  /** Makes a control call over a kept connection; whether that was open before, and is answered. */
  readonly kept: () => Promise<boolean>;
  /** how often it may be sent again to an agent whose process we cannot see */
  readonly mostCuts: number;
}

/** What came of sending a suspect again. */
export type Trial<T> =
  /** without an attempt where the same request had been proven before, and was not sent again */
  | { readonly is: "crash"; readonly attempt?: AttemptResult<T> }
  | { readonly is: "answered"; readonly attempt: AttemptResult<T> }
  /** the response begins, and is cut off again before its first event; the agent stays up meanwhile */
  | { readonly is: "broken-off"; readonly attempt: AttemptResult<T> }
  | { readonly is: "undecided"; readonly trials: number };

interface CrashTrialsOptions {
  /** of an agent that we started ourselves */
  readonly restarts: Restarts | undefined;
  /** Waits until the agent answers this control call; false where it does not in time. */
  readonly isBack: (control: Control) => Promise<boolean>;
  /** Waits until the requests that are in flight are over, for a moment at most. */
  readonly settled: () => Promise<void>;
  /** All suspects of one outage were tried: those that the agent crashes on, and the others. */
  readonly onTried: (crashes: readonly Crash[], cleared: readonly Call[]) => void;
  /** the clock by which requests are answered */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Waiting {
  readonly call: Call;
  readonly run: () => Promise<Crash | undefined>;
}

/**
 * Finds out which of the requests that were in flight makes the agent crash. Each is sent again alone, the malformed ones
 * first, while every other request of the run waits. A request that is answered when it is sent alone is never blamed.
 */
export class CrashTrials {
  readonly #options: CrashTrialsOptions;
  readonly #waiting: Waiting[] = [];
  readonly #proven = new Map<string, Crash>();
  /** by the requests without their ids: the same one is proven and counted once */
  readonly #shapes = new Map<string, Crash>();
  /** in the order in which they were answered */
  readonly #answered: { readonly request: AnsweredRequest; readonly at: number }[] = [];
  #underWay: Promise<void> | undefined;
  /** the process has exited, and no request was sent alone since */
  #hasExited = false;
  #isSending = false;
  #lateInquiries = 0;
  /** requests that could not be tried when the process had exited */
  #postponed: readonly AnsweredRequest[] = [];

  constructor(options: CrashTrialsOptions) {
    this.#options = options;
  }

  /** The crash that an exchange shows. */
  of(exchangeId: string): Crash | undefined {
    return this.#proven.get(exchangeId);
  }

  isShownBy(evidence: readonly Evidence[]): boolean {
    return this.amongst(evidence) !== undefined;
  }

  /** The first crash that evidence shows. */
  amongst(evidence: readonly Evidence[]): Crash | undefined {
    const ids = evidence.map((each) => ("exchange" in each ? each.exchange.id : each.id));
    return ids.flatMap((id) => this.of(id) ?? [])[0];
  }

  get all(): readonly Crash[] {
    return [...this.#proven.values()];
  }

  /** No more malformed requests are sent. */
  get isEnough(): boolean {
    const isLateEnough = this.#lateInquiries >= mostLateInquiries && this.#shapes.size > 0;
    return isLateEnough || this.#shapes.size >= enoughCrashes;
  }

  /** Takes in a malformed request that was answered. */
  answered(request: AnsweredRequest): void {
    if (!this.#options.restarts || this.#isSending) return;
    this.#answered.push({ request, at: this.#options.now() });
    if (this.#answered.length > mostAnswered) this.#answered.shift();
  }

  /** The process has exited, and was started again: looks for the request that is to blame, while all others wait. */
  exited(): void {
    if (this.#isSending) return;
    this.#hasExited = true;
    this.#begin();
  }

  /** Waits until the process can no longer exit because of a request of this run. */
  async end(): Promise<void> {
    const { restarts, now, sleep } = this.#options;
    const last = this.#answered.at(-1);
    if (!restarts) return;
    if (last) await sleep(Math.max(0, last.at + exitWithinMs - now()));
    await restarts.recover();
    await this.ready();
    if (this.#postponed.length === 0 || this.#proven.size > 0) return;
    this.#lateInquiries = 0;
    for (const request of this.#postponed) this.answered(request);
    this.exited();
    await this.ready();
  }

  /** Waits while requests are sent alone. */
  async ready(): Promise<void> {
    while (this.#underWay) await this.#underWay;
  }

  /** Waits for the turn of this suspect, and tries it. */
  try<T>(suspect: Suspect<T>): Promise<Trial<T>> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<Crash | undefined> => {
        try {
          const trial = await this.#try(suspect);
          resolve(trial);
          return trial.is === "crash" ? this.of((trial.attempt?.call ?? suspect.call).exchange.id) : undefined;
        } catch (error) {
          reject(error);
          return undefined;
        }
      };
      this.#waiting.push({ call: suspect.call, run });
      this.#begin();
    });
  }

  #begin(): void {
    this.#underWay ??= this.#tryAll().finally(() => {
      this.#underWay = undefined;
    });
  }

  async #tryAll(): Promise<void> {
    // What was in flight beside the first one is dropped within a moment, and joins it.
    await this.#options.settled();
    await this.#options.restarts?.recover();
    const answered = this.#answeredLast();
    const [crashes, cleared]: [Crash[], Call[]] = [[], []];
    this.#isSending = true;
    for (;;) {
      this.#waiting.sort((one, other) => bySuspicion(one.call, other.call));
      const next = this.#waiting.shift();
      if (!next) break;
      const crash = await next.run();
      if (crash) crashes.push(crash);
      else cleared.push(next.call);
    }
    if (this.#hasExited && crashes.length === 0) crashes.push(...(await this.#tryAnswered(answered)));
    this.#isSending = false;
    this.#hasExited = false;
    this.#answered.length = 0;
    const late = answered.map(({ call }) => call);
    this.#options.onTried(crashes, cleared.length ? [...cleared, ...late] : late);
  }

  /** Those that were answered within 2 s of the last one: the process exited after that. */
  #answeredLast(): AnsweredRequest[] {
    const last = this.#answered.at(-1)?.at ?? 0;
    return this.#answered.flatMap(({ request, at }) => (at >= last - exitWithinMs ? [request] : []));
  }

  /**
   * Finds the answered request that the process exits after: sends all of them, then the half that it exits after, and so
   * on. The one that is left has to do it every time, and its twins never.
   */
  async #tryAnswered(all: readonly AnsweredRequest[]): Promise<Crash[]> {
    const known = all.flatMap(({ call }) => this.#shapes.get(shapeOf(call)) ?? []);
    if (known.length) return known.slice(0, 1);
    if (all.length === 0 || this.#lateInquiries >= mostLateInquiries) return [];
    this.#lateInquiries += 1;
    try {
      return await this.#findLate(all);
    } catch {
      // Requests that wait hold the messages that are left: at the end of the run none does.
      this.#postponed = all;
      return [];
    }
  }

  async #findLate(all: readonly AnsweredRequest[]): Promise<Crash[]> {
    let group = all;
    if ((await this.#exitAfter(group)) === undefined) return [];
    while (group.length > 1) {
      const [one, other] = [group.slice(0, group.length / 2), group.slice(group.length / 2)];
      const isOne = (await this.#exitAfter(one)) !== undefined;
      if (!isOne && (await this.#exitAfter(other)) === undefined) return [];
      group = isOne ? one : other;
    }
    return this.#proveLate(group[0]!);
  }

  /** Twins come before and after all trials, not between them: a process that exits at intervals fits no such order. */
  async #proveLate(suspect: AnsweredRequest): Promise<Crash[]> {
    const twin: AnsweredRequest = { ...suspect, again: suspect.twin };
    const isTwinFine = async (): Promise<boolean> => {
      for (let sent = 0; sent < lateTwins; sent++)
        if ((await this.#exitAfter([twin], true)) !== undefined) return false;
      return true;
    };
    if (!(await isTwinFine())) return [];
    let [ending, call] = ["", suspect.call];
    for (let sent = 0; sent < lateExits; sent++) {
      const exit = await this.#exitAfter([suspect], true, (again) => {
        call = again;
      });
      if (exit === undefined) return [];
      ending = exit;
    }
    if (!(await isTwinFine())) return [];
    const saw = `${ending}, within 2 s of answering this request, ${lateExits} of ${lateExits} times that Assay sent it alone, and never after ${2 * lateTwins} well-formed requests of the same operation and size`;
    const crash = this.#note(suspect, call, saw, "exit-after-response");
    this.#shapes.set(shapeOf(call), crash);
    return [crash];
  }

  /** Sends these one after the other to an agent that is up; how the process exits within 2 s of the last one. */
  async #exitAfter(
    group: readonly AnsweredRequest[],
    needsAnswer = false,
    onSent: (call: Call) => void = () => {},
  ): Promise<string | undefined> {
    const { restarts, isBack } = this.#options;
    if (!restarts || !(await isBack(group[0]!.control))) throw new Error("the agent is not back");
    const { starts } = restarts;
    for (const { again } of group) {
      const call = await again();
      if (!call) throw new Error("no message is left");
      onSent(call);
      const ending = endingOf(call);
      if (ending !== "dropped" && ending !== "unconnected") continue;
      // The one before may have ended it.
      if (needsAnswer) throw new Error("the request was not answered");
      break;
    }
    return restarts.exit(starts, performance.now() + exitWithinMs);
  }

  async #try<T>(suspect: Suspect<T>): Promise<Trial<T>> {
    const { restarts } = this.#options;
    const isBack = (): Promise<boolean> => this.#options.isBack(suspect.control);
    const known = this.#shapes.get(shapeOf(suspect.call));
    if (known) {
      await isBack();
      this.#note(suspect, suspect.call, known.saw, known.how);
      return { is: "crash" };
    }
    let [exits, cuts] = [0, 0];
    let how = "";
    for (let trials = 1; trials <= mostTrials; trials++) {
      if (!(await isBack())) return { is: "undecided", trials };
      // A connection that outlives the cut shows that the process does too.
      if (isBrokenOff(suspect.call)) await suspect.kept();
      const [startedAt, starts] = [performance.now(), restarts?.starts ?? 0];
      const attempt = await suspect.again();
      const ending = attempt.call && (attempt.ending ?? endingOf(attempt.call));
      // Refused right after the control call: it was not sent.
      if (ending === "unconnected") continue;
      if (ending !== "dropped") return { is: "answered", attempt };
      cuts += 1;
      const exit = await restarts?.exit(starts, startedAt + exitWithinMs);
      if (exit !== undefined) {
        exits += 1;
        how = exit;
      } else if (isBrokenOff(suspect.call) && isBrokenOff(attempt.call!) && (await suspect.kept()))
        return { is: "broken-off", attempt };
      const isUp = await isBack();
      if (exits >= enoughExits) {
        const saw = `${how}, within 2 s of this request, ${exits} of ${trials} times that Assay sent it alone`;
        return this.#prove(suspect, attempt, saw, "exit");
      }
      if (!isUp || cuts - exits >= suspect.mostCuts) return { is: "undecided", trials };
      if (cuts >= enoughCuts && exits === 0)
        return (await this.#isTwinAnswered(suspect))
          ? this.#prove(
              suspect,
              attempt,
              `The connection closed without a response, ${cuts} of ${trials} times that Assay sent this request alone; ${enoughCuts} well-formed requests of the same operation and size were answered`,
              "closed-connection",
            )
          : { is: "undecided", trials };
    }
    return { is: "undecided", trials: mostTrials };
  }

  /** As many well-formed requests end no connection. */
  async #isTwinAnswered({ twin, control }: Suspect<unknown>): Promise<boolean> {
    for (let sent = 0; sent < enoughCuts; sent++) {
      const call = await twin();
      const ending = call && endingOf(call);
      if (ending === undefined || ending === "dropped" || ending === "unconnected" || !(await control(controlMs)))
        return false;
    }
    return true;
  }

  #prove<T>(suspect: Suspect<T>, attempt: AttemptResult<T>, saw: string, how: CrashKind): Trial<T> {
    const call = attempt.call!;
    this.#shapes.set(shapeOf(call), this.#note(suspect, call, saw, how));
    return { is: "crash", attempt };
  }

  #note({ observation, check }: SentRequest, call: Call, saw: string, how: CrashKind): Crash {
    const crash = { how, call, saw, observation, check };
    this.#proven.set(call.exchange.id, crash);
    return crash;
  }
}

/** The malformed ones first, then in the order in which they were sent. */
export const bySuspicion = (one: Call, other: Call): number =>
  Number(one.fair) - Number(other.fair) || numberOf(one) - numberOf(other);

const numberOf = ({ exchange }: Call): number => Number(exchange.id.replace(/\D/g, ""));

const uuids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** A request without the ids that are new each time. */
function shapeOf({ exchange: { http } }: Call): string {
  const { method, url, body } = http.request;
  return `${method} ${url} ${Buffer.from(body).toString("latin1")}`.replace(uuids, "").replace(/"id":\d+/, "");
}
