import type { DialectVersion } from "@assay/protocol";
import type { PeerInterface } from "@assay/wire";
import type { Findings } from "../../packages/suite/src/define/check.ts";
import { areaOf } from "../../packages/suite/src/recordings/areas.fixture.ts";
import {
  readRecordings,
  recordingIn,
  removeRecording,
  textOf,
  writeRecording,
} from "../../packages/suite/src/recordings/library.fixture.ts";
import { Packer } from "../../packages/suite/src/recordings/packing.fixture.ts";
import type { JudgeRecording } from "../../packages/suite/src/recordings/recording.fixture.ts";
import { isAside, type Judges, replay } from "../../packages/suite/src/recordings/replay.fixture.ts";
import { type FoundIn, rowsOf, wordsOf } from "../../packages/suite/src/recordings/words.fixture.ts";
import type { Heard } from "./listen.ts";
import { onlyMasked, steadyNames } from "./names.ts";

/** A recording should be small; one that shows what no other does may be larger. */
const usual = 4_000;
const most = 8_000;
const mostForRow = 24_000;
/** How often something is tried to be written down that cannot be. */
const patience = 4;

interface Kept {
  readonly recording: JudgeRecording;
  readonly size: number;
  readonly shows: ReadonlySet<string>;
}

/** Something that a recording would be the first to show. */
interface Fresh {
  readonly shown: string;
  readonly codes: readonly string[];
  readonly where: FoundIn;
  readonly isOfRow: boolean;
}

/** Keeps of everything that is heard what shows something new, as small as it comes. */
export class Recorder {
  readonly #kept = new Map<string, Kept>();
  /** names by what is recorded, so that several checks that saw the same share it */
  readonly #named = new Map<string, string>();
  readonly #shown = new Set<string>();
  /** too large, unless nothing smaller shows the same */
  readonly #spare = new Map<string, { readonly kept: Kept; readonly one: Fresh }>();
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
      if (!kept) stale.push(name);
      else if (this.#keep(name, kept) !== name) removeRecording(name);
    }
    for (const name of stale) removeRecording(name);
    return { stale };
  }

  async add(heard: Heard): Promise<void> {
    const fresh = [...heard.said]
      .flatMap(([rule, found]) => freshIn(heard.is, found, whereOf(heard, rule)))
      .filter(({ shown }) => !this.#shown.has(shown) && (this.#tried.get(shown) ?? 0) < patience);
    const [first] = fresh;
    if (!first) return;
    const kept = await written(heard, this.#judges);
    if (kept && kept.size <= usual) return this.#write(kept, first);
    for (const one of fresh) {
      const { shown, isOfRow } = one;
      this.#tried.set(shown, (this.#tried.get(shown) ?? 0) + 1);
      const spare = this.#spare.get(shown)?.kept.size ?? Infinity;
      if (kept && kept.size <= (isOfRow ? mostForRow : most) && kept.size < spare)
        this.#spare.set(shown, { kept, one });
    }
  }

  /** Writes what is shown by nothing small, and drops what others show as well. */
  close(): void {
    for (const [shown, { kept, one }] of this.#spare) if (!this.#shown.has(shown)) this.#write(kept, one);
    const largestFirst = [...this.#kept].sort(([, one], [, other]) => other.size - one.size);
    for (const [name, { shows }] of largestFirst) {
      const others = [...this.#kept].filter(([other]) => other !== name);
      if (![...shows].every((shown) => others.some(([, other]) => other.shows.has(shown)))) continue;
      this.#kept.delete(name);
      removeRecording(name);
    }
  }

  /** Keeps a recording under its name, or as part of one that is the same but for what is said; returns which. */
  #keep(name: string, kept: Kept): string {
    for (const shown of kept.shows) this.#shown.add(shown);
    const body = textOf({ ...kept.recording, from: "", says: {} });
    const place = this.#named.get(body);
    const known = place === undefined ? undefined : this.#kept.get(place);
    if (place === undefined || !known) {
      this.#named.set(body, name);
      this.#kept.set(name, kept);
      return name;
    }
    const recording = { ...known.recording, says: { ...known.recording.says, ...kept.recording.says } };
    this.#kept.set(place, { recording, size: known.size, shows: new Set([...known.shows, ...kept.shows]) });
    writeRecording(place, recording);
    return place;
  }

  #write(kept: Kept, fresh: Fresh): void {
    const name = this.#freeName(fresh);
    if (this.#keep(name, kept) === name) writeRecording(name, kept.recording);
  }

  #freeName({ codes, where: { rule, dialect, binding } }: Fresh): string {
    const place = binding === undefined ? dialect : `${dialect}-${binding.toLowerCase().replace("+", "-")}`;
    const name = `${areaOf(rule)}/${rule}.${codes.join("+")}.${place}`;
    let free = name;
    for (let count = 2; this.#kept.has(free); count++) free = `${name}.${count}`;
    return free;
  }
}

/** Versions that write alike stand for each other. */
const wireOf: Readonly<Record<DialectVersion, string>> = { "1.0": "1.0", "0.3": "0.3", "0.2": "0.3", "0.1": "0.1" };

/** What a finding shows that is worth a recording: a rule with codes, in a place where that could make a difference. */
function freshIn(is: JudgeRecording["is"], found: Findings, where: FoundIn): Fresh[] {
  const codes = [...new Set([found].flat().map((each) => (each.is === "breach" ? each.code : each.is)))];
  if (codes.length === 0 || codes.includes("not-examined")) return [];
  const { rule, dialect, binding } = where;
  const reached = rowsOf(found, where).map((row) => JSON.stringify(row));
  // What active checks see is large, and judged alike in every place that severity.yaml does not tell apart.
  const places = is === "seen" ? reached : [...reached, wireOf[dialect], binding ?? ""];
  return [{ shown: [rule, ...codes, ...new Set(places)].join(" "), codes, where, isOfRow: reached.length > 0 }];
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
  const replayed = await replay(recordingIn(text), judges, 1_000);
  if (replayed.some(({ where, found }) => wordsOf(found, where) !== recording.says[where.rule])) return undefined;
  const shows = new Set(
    replayed.flatMap(({ where, found }) => freshIn(recording.is, found, where).map(({ shown }) => shown)),
  );
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
