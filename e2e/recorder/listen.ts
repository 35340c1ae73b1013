import type { Call } from "../../packages/suite/src/define/call.ts";
import type {
  ActiveCheck,
  CardCheck,
  FetchedCard,
  Findings,
  PassiveCheck,
} from "../../packages/suite/src/define/check.ts";
import type { Observation } from "../../packages/suite/src/define/observation.ts";
import { Obstacle } from "../../packages/suite/src/define/obstacle.ts";
import type { Target } from "../../packages/suite/src/define/target.ts";
import { allJudges, foundOr, type Judges } from "../../packages/suite/src/recordings/replay.fixture.ts";
import { TargetTape } from "../../packages/suite/src/recordings/target.fixture.ts";
import { ReadMembers } from "./read-members.ts";

/** Something that was judged, and what the judges said. */
export type Heard =
  | { readonly is: "card"; readonly card: FetchedCard; readonly said: ReadonlyMap<string, Findings> }
  | { readonly is: "call"; readonly call: Call; readonly said: ReadonlyMap<string, Findings> }
  | {
      readonly is: "seen";
      readonly seen: unknown;
      readonly target: Target;
      readonly tape: TargetTape;
      readonly check: ActiveCheck;
      readonly said: ReadonlyMap<string, Findings>;
    }
  | {
      readonly is: "obstacle";
      readonly observation: string;
      readonly target: Target;
      readonly tape: TargetTape;
      readonly said: ReadonlyMap<string, Findings>;
    };

export interface Listening {
  /** the judges as they were, whom nothing listens to */
  readonly unheard: Judges;
  /** what was heard since */
  take(): readonly Heard[];
}

/** Listens to every judge of this process. */
export function listen(): Listening {
  const { checks, observations } = allJudges;
  const unheard = {
    checks: checks.map((each) => ({ ...each })),
    observations: observations.map((each) => ({ ...each })),
  };
  const cards = new Map<FetchedCard, Map<string, Findings>>();
  const calls = new Map<Call, Map<string, Findings>>();
  let others: Heard[] = [];
  for (const check of checks) {
    if (check.kind === "card") listenTo(check, cards);
    else if (check.kind === "passive") listenTo(check, calls);
    else listenToActive(check, (heard) => others.push(heard));
  }
  for (const one of observations) listenToObstacles(one, (heard) => others.push(heard));
  return {
    unheard,
    take() {
      const heard: Heard[] = [
        ...[...cards].map(([card, said]) => ({ is: "card", card, said }) as const),
        ...[...calls].map(([call, said]) => ({ is: "call", call, said }) as const),
        ...others,
      ];
      cards.clear();
      calls.clear();
      others = [];
      return heard;
    },
  };
}

/** A check is data that others only read; here its judge is replaced for the time of a recording. */
const replaceJudge = (check: object, judge: unknown): boolean => Reflect.set(check, "judge", judge);

function listenTo<T>(check: CardCheck | PassiveCheck, into: Map<T, Map<string, Findings>>): void {
  const judge = check.judge as (subject: T) => Findings | undefined;
  replaceJudge(check, (subject: T) => {
    const found = judge(subject);
    if (found === undefined) return found;
    const said = into.get(subject) ?? new Map<string, Findings>();
    into.set(subject, said.set(check.id, found));
    return found;
  });
}

function listenToActive(check: ActiveCheck, heard: (one: Heard) => void): void {
  const judge = check.judge.bind(check);
  replaceJudge(check, async (seen: Parameters<typeof judge>[0], target: Target) => {
    const tape = new TargetTape();
    const read = new ReadMembers();
    const found = foundOr(check.id, async () => judge(read.around(seen), tape.around(target)));
    const outcome = await found.catch(() => []);
    await tape.settle();
    heard({ is: "seen", seen: read.taken(seen), target, tape, check, said: new Map([[check.id, outcome]]) });
    return found;
  });
}

function listenToObstacles(one: Observation<unknown>, heard: (one: Heard) => void): void {
  const make = one.make.bind(one);
  Reflect.set(one, "make", async (target: Target) => {
    const tape = new TargetTape();
    try {
      return await make(tape.around(target));
    } catch (error) {
      if (error instanceof Obstacle && error.kind.is === "held-up") {
        const { rule } = error.kind;
        const found = await foundOr(rule, () => Promise.reject(error));
        await tape.settle();
        heard({ is: "obstacle", observation: one.name, target, tape, said: new Map([[rule, found]]) });
      }
      throw error;
    }
  });
}
