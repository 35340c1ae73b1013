import { isBrokenOff } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import type { Evidence } from "../../define/finding.ts";
import type { Restarts } from "./restarts.ts";
import { type AttemptResult, endingOf } from "./retry.ts";

/** Number of exits, with the request sent alone, that prove a crash. */
const enoughExits = 2;
/** Maximum time between request and exit. */
const exitWithinMs = 2_000;
/** Number of closed connections that prove a crash if Assay cannot see the process. As many twins must be answered. */
const enoughCuts = 3;
/** Maximum number of trials: one more than necessary, because a busy machine may notice an exit too late. */
const mostTrials = 4;
/** Number of proven crashes after which Assay sends no more malformed requests: each costs several restarts. */
const enoughCrashes = 8;
/** Number of exits after an answered request, sent alone, that prove a crash: all of them. */
const lateExits = 4;
/** Number of well-formed twins without an exit, before these trials and again after them. */
const lateTwins = 2;
/** Maximum number of exits after answered requests that a run investigates. Each takes half a minute. */
const mostLateInquiries = 3;
/** Number of answered requests kept as suspects for a later exit. */
const mostAnswered = 200;

/**
 * The proof of a crash: the process exits without or after a response, or the connection closes without a visible
 * process.
 */
export type CrashKind = "exit" | "exit-after-response" | "closed-connection";

/** A request that is proven to crash the agent. */
export interface Crash {
  readonly how: CrashKind;
  /** the last trial */
  readonly call: Call;
  /** what Assay saw, and how often */
  readonly saw: string;
  /** the name of the observation that sent it */
  readonly observation: string | undefined;
  /** the rule whose check sent it, if no observation did */
  readonly check: string | undefined;
}

/** Makes one harmless call on the same interface. Returns true if it is answered in time. */
export type Control = (withinMs: number) => Promise<boolean>;

/** Time limit of a control call. */
export const controlMs = 10_000;

interface SentRequest {
  readonly call: Call;
  readonly observation: string | undefined;
  readonly check: string | undefined;
  /** Sends a well-formed request of the same operation and size in the same way; undefined if no message is left. */
  readonly twin: () => Promise<Call | undefined>;
  readonly control: Control;
}

/** An answered malformed request: the process may exit a moment later. */
export interface AnsweredRequest extends SentRequest {
  /** Sends it again, past every queue and over a new connection; undefined if no message is left. */
  readonly again: () => Promise<Call | undefined>;
}

/** A request whose connection ended without a response. */
export interface Suspect<T> extends SentRequest {
  /** Sends it again, past every queue and over a new connection. */
  readonly again: () => Promise<AttemptResult<T>>;
  /** Makes a control call over a kept connection. Returns true if that was still open and answered. */
  readonly kept: () => Promise<boolean>;
  /** maximum number of retries if Assay cannot see the process */
  readonly mostCuts: number;
}

/** The result of sending a suspect again. */
export type Trial<T> =
  /** without an attempt if the same request was already proven and not sent again */
  | { readonly is: "crash"; readonly attempt?: AttemptResult<T> }
  | { readonly is: "answered"; readonly attempt: AttemptResult<T> }
  /** the response starts and breaks off again before its first event, while the agent stays up */
  | { readonly is: "broken-off"; readonly attempt: AttemptResult<T> }
  | { readonly is: "undecided"; readonly trials: number };

interface CrashTrialsOptions {
  /** for an agent that Assay started */
  readonly restarts: Restarts | undefined;
  /** Waits until the agent answers this control call. Returns false if it does not in time. */
  readonly isBack: (control: Control) => Promise<boolean>;
  /** Waits briefly for the open requests to end. */
  readonly settled: () => Promise<void>;
  /** Called when all suspects of an outage were tried, with the crashes and the cleared requests. */
  readonly onTried: (crashes: readonly Crash[], cleared: readonly Call[]) => void;
  /** the clock of the responses */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

interface Waiting {
  readonly call: Call;
  readonly run: () => Promise<Crash | undefined>;
}

/**
 * Finds out which open request made the agent crash. Sends each again alone, malformed ones first, while all other
 * requests wait. A request that is answered when sent alone is never blamed.
 */
export class CrashTrials {
  readonly #options: CrashTrialsOptions;
  readonly #waiting: Waiting[] = [];
  readonly #proven = new Map<string, Crash>();
  /** by the requests without their ids, so that equal ones count once */
  readonly #shapes = new Map<string, Crash>();
  /** in the order of their responses */
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

  /** Returns the crash that an exchange shows. */
  of(exchangeId: string): Crash | undefined {
    return this.#proven.get(exchangeId);
  }

  isShownBy(evidence: readonly Evidence[]): boolean {
    return this.amongst(evidence) !== undefined;
  }

  /** Returns the first crash that the evidence shows. */
  amongst(evidence: readonly Evidence[]): Crash | undefined {
    const ids = evidence.map((each) => ("exchange" in each ? each.exchange.id : each.id));
    return ids.flatMap((id) => this.of(id) ?? [])[0];
  }

  get all(): readonly Crash[] {
    return [...this.#proven.values()];
  }

  /** Returns true if Assay sends no more malformed requests. */
  get isEnough(): boolean {
    const isLateEnough = this.#lateInquiries >= mostLateInquiries && this.#shapes.size > 0;
    return isLateEnough || this.#shapes.size >= enoughCrashes;
  }

  /** Adds an answered malformed request. */
  answered(request: AnsweredRequest): void {
    if (!this.#options.restarts || this.#isSending) return;
    this.#answered.push({ request, at: this.#options.now() });
    if (this.#answered.length > mostAnswered) this.#answered.shift();
  }

  /** The process has exited and was restarted: looks for the responsible request while all others wait. */
  exited(): void {
    if (this.#isSending) return;
    this.#hasExited = true;
    this.#begin();
  }

  /** Waits until no request of this run can make the process exit any more. */
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

  /** Waits for the turn of this suspect and tries it. */
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
    // Requests that were open beside the first one drop within a moment and join it.
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

  /** Returns the requests answered within 2 s of the last one, after which the process exited. */
  #answeredLast(): AnsweredRequest[] {
    const last = this.#answered.at(-1)?.at ?? 0;
    return this.#answered.flatMap(({ request, at }) => (at >= last - exitWithinMs ? [request] : []));
  }

  /**
   * Finds the answered request after which the process exits, by bisection. The remaining one must do it every time,
   * and its twins never.
   */
  async #tryAnswered(all: readonly AnsweredRequest[]): Promise<Crash[]> {
    const known = all.flatMap(({ call }) => this.#shapes.get(shapeOf(call)) ?? []);
    if (known.length) return known.slice(0, 1);
    if (all.length === 0 || this.#lateInquiries >= mostLateInquiries) return [];
    this.#lateInquiries += 1;
    try {
      return await this.#findLate(all);
    } catch {
      // Waiting requests hold the remaining messages. At the end of the run none does.
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

  /** Twins come before and after all trials, not between, so that a process that exits at intervals is not mistaken. */
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

  /** Sends these requests in order to a running agent. Returns how the process exits within 2 s of the last one. */
  async #exitAfter(
    group: readonly AnsweredRequest[],
    needsAnswer = false,
    onSent: (call: Call) => void = () => {},
  ): Promise<string | undefined> {
    const { restarts, isBack } = this.#options;
    if (!restarts || !(await isBack(group[0]!.control))) throw new Error("the agent has not come back");
    const { starts } = restarts;
    for (const { again } of group) {
      const call = await again();
      if (!call) throw new Error("no message is left");
      onSent(call);
      const ending = endingOf(call);
      if (ending !== "dropped" && ending !== "unconnected") continue;
      // The previous request may have ended the process.
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
      // A connection that survives the cut shows that the process does too.
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

  /** Checks that as many well-formed requests close no connection. */
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

/** Malformed ones first, then in order. */
export const bySuspicion = (one: Call, other: Call): number =>
  Number(one.fair) - Number(other.fair) || numberOf(one) - numberOf(other);

const numberOf = ({ exchange }: Call): number => Number(exchange.id.replace(/\D/g, ""));

const uuids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Removes the ids that are new each time. */
function shapeOf({ exchange: { http } }: Call): string {
  const { method, url, body } = http.request;
  return `${method} ${url} ${Buffer.from(body).toString("latin1")}`.replace(uuids, "").replace(/"id":\d+/, "");
}
