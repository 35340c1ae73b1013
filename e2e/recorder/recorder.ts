import type { PeerInterface } from "@assay/wire";
import type { Findings } from "../../packages/suite/src/check.ts";
import { rows } from "../../packages/suite/src/generated/severity.ts";
import { areaOf } from "../../packages/suite/src/recordings/areas.case.ts";
import {
  readRecordings,
  recordingIn,
  removeRecording,
  textOf,
  writeRecording,
} from "../../packages/suite/src/recordings/library.case.ts";
import { Packer } from "../../packages/suite/src/recordings/packing.case.ts";
import type { JudgeRecording } from "../../packages/suite/src/recordings/recording.case.ts";
import { isAside, type Judges, replay } from "../../packages/suite/src/recordings/replay.case.ts";
import { type FoundIn, rowsOf, wordsOf } from "../../packages/suite/src/recordings/words.case.ts";
import type { Heard } from "./listen.ts";
import { onlyMasked, steadyNames } from "./names.ts";

/** A recording should be small; one that shows what no other does may be larger. */
const usual = 4_000;
const most = 24_000;
/** How often something is tried to be written down that cannot be. */
const patience = 4;

interface Kept {
  readonly recording: JudgeRecording;
  readonly size: number;
  readonly shows: ReadonlySet<string>;
}

/** Keeps of everything that is heard what shows something new, as small as it comes. */
export class Recorder {
  readonly #kept = new Map<string, Kept>();
  readonly #shown = new Set<string>();
  /** too large, unless nothing smaller shows the same */
  readonly #spare = new Map<string, Kept>();
  readonly #tried = new Map<string, number>();
  readonly #judges: Judges;

  constructor(judges: Judges) {
    this.#judges = judges;
  }

  /** Begins with the recordings there are, and lets go of those that say something else by now. */
  async open(): Promise<{ readonly stale: readonly string[] }> {
    const stale: string[] = [];
    for (const [name, recording] of readRecordings()) {
      const kept = await checked(recording, this.#judges).catch(() => undefined);
      if (kept) this.#keep(name, kept);
      else stale.push(name);
    }
    for (const name of stale) removeRecording(name);
    return { stale };
  }

  async add(heard: Heard): Promise<void> {
    const fresh = [...heard.said].flatMap(([rule, found]) => {
      const [shown] = shownBy(heard.is, found, whereOf(heard, rule));
      return shown === undefined || this.#shown.has(shown) || (this.#tried.get(shown) ?? 0) >= patience ? [] : [shown];
    });
    if (fresh.length === 0) return;
    const kept = await written(heard, this.#judges);
    if (kept && kept.size <= usual) return this.#write(kept, fresh);
    for (const shown of fresh) {
      this.#tried.set(shown, (this.#tried.get(shown) ?? 0) + 1);
      const spare = this.#spare.get(shown);
      if (kept && kept.size <= most && kept.size < (spare?.size ?? Infinity)) this.#spare.set(shown, kept);
    }
  }

  /** Writes what is shown by nothing small, and drops what others show as well. */
  close(): void {
    for (const [shown, kept] of this.#spare) if (!this.#shown.has(shown)) this.#write(kept, [shown]);
    const largestFirst = [...this.#kept].sort(([, one], [, other]) => other.size - one.size);
    for (const [name, { shows }] of largestFirst) {
      const others = [...this.#kept].filter(([other]) => other !== name);
      if (![...shows].every((shown) => others.some(([, other]) => other.shows.has(shown)))) continue;
      this.#kept.delete(name);
      removeRecording(name);
    }
  }

  #write(kept: Kept, [first = ""]: readonly string[]): void {
    const [rule = "", ...rest] = first.split(" ");
    const words = rest
      .join(" ")
      .replaceAll("+", "-")
      .replaceAll(/[^\w.-]+/g, "_");
    const name = `${areaOf(rule)}/${rule}.${words}`;
    this.#keep(name, kept);
    writeRecording(name, kept.recording);
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.set(name, kept);
    for (const shown of kept.shows) this.#shown.add(shown);
  }
}

/** What a finding shows that is worth a recording: a rule with codes, where that could make a difference. */
function shownBy(is: JudgeRecording["is"], found: Findings, where: FoundIn): string[] {
  const codes = [...new Set([found].flat().map((each) => (each.is === "breach" ? each.code : each.is)))];
  if (codes.length === 0 || codes.includes("not-examined")) return [];
  const { rule, dialect, binding } = where;
  const places =
    is === "seen" ? rowsOf(found, where).map((row) => `row${rows.indexOf(row)}`) : [dialect, binding ?? ""];
  return [[rule, codes.join("+"), ...new Set(places)].join(" ").trim()];
}

function whereOf(heard: Heard, rule: string): FoundIn {
  switch (heard.is) {
    case "card":
      return { rule, dialect: heard.card.facts.dialect };
    case "call":
      return { rule, dialect: heard.call.on.dialect, binding: heard.call.on.binding };
    case "seen": {
      const { dialect, binding } = heard.target.on;
      return { rule, dialect, binding: isAside(heard.check) ? undefined : binding };
    }
    case "obstacle":
      return { rule, dialect: heard.target.on.dialect, binding: heard.target.on.binding };
  }
}

/** The least that says the same when it is judged once more; none where that cannot be written down. */
async function written(heard: Heard, judges: Judges): Promise<Kept | undefined> {
  for (const detail of ["brief", "plain", "everything"] as const) {
    for (const rename of [steadyNames(), onlyMasked]) {
      try {
        const kept = await checked(recordingOf(heard, new Packer({ detail, rename })), judges);
        if (kept) return kept;
      } catch {
        // It cannot be written down in this way, or depends on what was left out.
      }
    }
  }
  return undefined;
}

/** A recording, if it says when replayed what it claims. */
async function checked(recording: JudgeRecording, judges: Judges): Promise<Kept | undefined> {
  const text = textOf(recording);
  const replayed = await replay(recordingIn(text), judges);
  if (replayed.some(({ where, found }) => wordsOf(found, where) !== recording.says[where.rule])) return undefined;
  const shows = new Set(replayed.flatMap(({ where, found }) => shownBy(recording.is, found, where)));
  return { recording, size: text.length, shows };
}

function recordingOf(heard: Heard, packer: Packer): JudgeRecording {
  const says = Object.fromEntries(
    [...heard.said]
      .filter(([, found]) => [found].flat().length > 0)
      .map(([rule, found]) => [rule, wordsOf(found, whereOf(heard, rule))]),
  );
  const lists = (): Pick<JudgeRecording, "calls" | "exchanges" | "says"> => ({
    calls: packer.calls,
    exchanges: packer.exchanges,
    says,
  });
  switch (heard.is) {
    case "card": {
      const { cardUrl, dialect } = heard.card.facts;
      const card = packer.pack(heard.card);
      return { is: "card", from: pathOf(cardUrl), dialect, card, ...lists() };
    }
    case "call": {
      const { on } = heard.call;
      const call = packer.pack(heard.call);
      return { is: "call", from: placeOf(on), call, ...lists() };
    }
    case "seen": {
      const { target, tape } = heard;
      const seen = packer.pack(heard.seen);
      const on = packer.pack(target.on) as unknown as PeerInterface;
      return { is: "seen", from: placeOf(target.on), on, seen, target: tape.written(packer), ...lists() };
    }
    case "obstacle": {
      const { target, tape, observation } = heard;
      const on = packer.pack(target.on) as unknown as PeerInterface;
      return { is: "obstacle", from: placeOf(target.on), on, observation, target: tape.written(packer), ...lists() };
    }
  }
}

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/\.well-known\/.*$/, "");

const placeOf = ({ url, tenant }: PeerInterface): string => {
  const path = pathOf(url);
  return path === "/" && tenant !== undefined ? `/${tenant}` : path;
};
