import type { Call } from "../../call.ts";
import type { Evidence } from "../../finding.ts";
import { isBrokenOff } from "../../reading.ts";
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

/** A request that the agent crashes on, as it was proven. */
export interface Crash {
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

/** A request whose connection ended without an answer. */
export interface Suspect<T> {
  readonly call: Call;
  readonly observation: string | undefined;
  readonly check: string | undefined;
  /** Sends it once more, past every queue and over a fresh connection. */
  readonly again: () => Promise<AttemptResult<T>>;
  /** Sends a well-formed request of the same operation and size in the same way; undefined where no message is left for it. */
  readonly twin: () => Promise<Call | undefined>;
  readonly control: Control;
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
  readonly onTried: (crashes: readonly Call[], cleared: readonly Call[]) => void;
}

interface Waiting {
  readonly call: Call;
  readonly run: () => Promise<boolean>;
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
  #underWay: Promise<void> | undefined;

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
    return this.#shapes.size >= enoughCrashes;
  }

  get isUnderWay(): boolean {
    return this.#underWay !== undefined;
  }

  /** Waits while requests are sent alone. */
  async ready(): Promise<void> {
    while (this.#underWay) await this.#underWay;
  }

  /** Waits for the turn of this suspect, and tries it. */
  try<T>(suspect: Suspect<T>): Promise<Trial<T>> {
    return new Promise((resolve, reject) => {
      const run = async (): Promise<boolean> => {
        try {
          const trial = await this.#try(suspect);
          resolve(trial);
          return trial.is === "crash";
        } catch (error) {
          reject(error);
          return false;
        }
      };
      this.#waiting.push({ call: suspect.call, run });
      this.#underWay ??= this.#tryAll().finally(() => {
        this.#underWay = undefined;
      });
    });
  }

  async #tryAll(): Promise<void> {
    // What was in flight beside the first one is dropped within a moment, and joins it.
    await this.#options.settled();
    const [crashes, cleared]: [Call[], Call[]] = [[], []];
    for (;;) {
      this.#waiting.sort((one, other) => bySuspicion(one.call, other.call));
      const next = this.#waiting.shift();
      if (!next) break;
      ((await next.run()) ? crashes : cleared).push(next.call);
    }
    this.#options.onTried(crashes, cleared);
  }

  async #try<T>(suspect: Suspect<T>): Promise<Trial<T>> {
    const { restarts } = this.#options;
    const isBack = (): Promise<boolean> => this.#options.isBack(suspect.control);
    const known = this.#shapes.get(shapeOf(suspect.call));
    if (known) {
      await isBack();
      this.#note(suspect, suspect.call, known.saw);
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
        return this.#prove(suspect, attempt, saw);
      }
      if (!isUp || cuts - exits >= suspect.mostCuts) return { is: "undecided", trials };
      if (cuts >= enoughCuts && exits === 0)
        return (await this.#isTwinAnswered(suspect))
          ? this.#prove(
              suspect,
              attempt,
              `The connection closed without a response, ${cuts} of ${trials} times that Assay sent this request alone; ${enoughCuts} well-formed requests of the same operation and size were answered`,
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

  #prove<T>(suspect: Suspect<T>, attempt: AttemptResult<T>, saw: string): Trial<T> {
    const call = attempt.call!;
    this.#shapes.set(shapeOf(call), this.#note(suspect, call, saw));
    return { is: "crash", attempt };
  }

  #note({ observation, check }: Suspect<unknown>, call: Call, saw: string): Crash {
    const crash = { call, saw, observation, check };
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
