import { setTimeout as delay } from "node:timers/promises";
import { checks } from "../checks/index.ts";
import type { Call } from "../define/call.ts";
import type { ActiveCheck, Check, FetchedCard, Findings } from "../define/check.ts";
import { breach } from "../define/finding.ts";
import { type Observation, withNeeds } from "../define/observation.ts";
import { Obstacle } from "../define/obstacle.ts";
import { firstContact } from "../observations/first-contact.ts";
import { Unpackable, unpackerOf } from "./packing.fixture.ts";
import type { JudgeRecording } from "./recording.fixture.ts";
import { replayTarget } from "./target.fixture.ts";
import type { FoundIn } from "./words.fixture.ts";

/** The verdict about one rule on a recording. */
export interface Replayed {
  readonly where: FoundIn;
  readonly found: Findings;
}

/** Every observation that a check uses. */
const observations: readonly Observation<unknown>[] = [
  ...checks.reduce(
    (all, check) => {
      for (const one of observationsOf(check)) withNeeds(one, all);
      return all;
    },
    withNeeds(firstContact as Observation<unknown>),
  ),
];

function observationsOf(check: Check): readonly Observation<unknown>[] {
  switch (check.kind) {
    case "card":
      return [];
    case "passive":
      return check.shownBy ?? [];
    case "active":
      return [...Object.values(check.uses), ...Object.values(check.also ?? {})];
  }
}

/** The checks that judge a recording. */
export interface Judges {
  readonly checks: readonly Check[];
  readonly observations: readonly Observation<unknown>[];
}

export const allJudges: Judges = { checks, observations };

/** Requests outside the interface concern the whole agent. */
export const isAside = ({ uses }: ActiveCheck): boolean => {
  const needed = Object.values(uses);
  return needed.length > 0 && needed.every(({ aside }) => aside);
};

/**
 * Judges the rules of a recording again. A judge that waits longer than `patienceMs` waits for something unrecorded.
 */
export async function replay(
  recording: JudgeRecording,
  judges: Judges = allJudges,
  patienceMs = 60_000,
): Promise<Replayed[]> {
  const judge = judgeOf(recording, judges);
  const all = Object.keys(recording.says).map((rule) => {
    const check = judges.checks.find(({ id }) => id === rule);
    if (!check) throw new TypeError(`There is no check ${rule}.`);
    return judge(check);
  });
  return soon(Promise.all(all), patienceMs);
}

/** A replay never waits: a judge that waits for something unrecorded would wait forever. */
async function soon<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  const over = new AbortController();
  const late = delay(patienceMs, undefined, { signal: over.signal }).then(() => {
    throw new Unpackable("it waits for something that was not recorded");
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
    late.catch(() => {});
  }
}

/** Reads a recording once and judges it by each check. */
function judgeOf(recording: JudgeRecording, judges: Judges): (check: Check) => Promise<Replayed> {
  const unpacker = unpackerOf(recording);
  switch (recording.is) {
    case "card": {
      const card = unpacker.unpack(recording.card) as FetchedCard;
      return async (check) => {
        if (check.kind !== "card") throw new TypeError(`${check.id} does not judge cards.`);
        return { where: { rule: check.id, dialect: recording.dialect }, found: check.judge(card) };
      };
    }
    case "call": {
      const call = unpacker.unpack(recording.call) as Call;
      const { dialect, binding } = call.on;
      return async (check) => {
        if (check.kind !== "passive") throw new TypeError(`${check.id} does not judge any call.`);
        return { where: { rule: check.id, dialect, binding }, found: check.judge(call) ?? [] };
      };
    }
    case "seen": {
      const { dialect, binding } = recording.on;
      return async (check) => {
        if (check.kind !== "active") throw new TypeError(`${check.id} makes no calls of its own.`);
        const seen = unpacker.unpack(recording.seen) as Parameters<typeof check.judge>[0];
        const target = replayTarget(recording.target, unpacker);
        const where = { rule: check.id, dialect, binding: isAside(check) ? undefined : binding };
        return { where, found: await foundOr(check.id, async () => check.judge(seen, target)) };
      };
    }
    case "obstacle": {
      const { dialect, binding } = recording.on;
      const one = judges.observations.find(({ name }) => name === recording.observation);
      if (!one) throw new TypeError(`There is no observation "${recording.observation}".`);
      return async ({ id }) => {
        const target = replayTarget(recording.target, unpacker);
        const found = await foundOr(id, async () => {
          await one.make(target);
          return [];
        });
        return { where: { rule: id, dialect, binding }, found };
      };
    }
  }
}

/** An obstacle is a finding too: the rule to blame is broken. */
export async function foundOr(rule: string, judge: () => Promise<Findings>): Promise<Findings> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    const { kind } = error;
    switch (kind.is) {
      case "held-up":
        return kind.rule === rule ? breach(kind.code ?? "broken", kind.because) : [];
      case "network":
        return [];
      case "not-applicable":
      case "not-examined":
        return kind;
    }
  }
}
