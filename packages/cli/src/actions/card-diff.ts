import { type ChangeEffect, type ClientChange, changeEffects, compareCards } from "@assay/protocol";
import { assertOneLogin, cardFrom, type SourcedCard } from "../card/card-source.ts";
import type { CardDiffFlags } from "../commands/card.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

/** A change, with the measured clients that lose their only interface by it. */
export interface ReportedChange extends ClientChange {
  readonly clients?: readonly string[];
}

/** Runs `assay card diff`: reads two cards and explains what each change means for clients. */
export async function diffCards(
  before: string,
  after: string,
  flags: CardDiffFlags,
  screen: Screen,
): Promise<ExitCode> {
  assertOneLogin([before, after], flags);
  const old = await cardFrom(before, flags, screen);
  const next = await cardFrom(after, flags, screen);
  const changes = await changesBetween(old, next);
  const counts = countsOf(changes);
  if (flags.json) screen.json({ old: old.from, new: next.from, counts, changes }, 2);
  else show(changes, counts, screen);
  return isFailed(counts, flags.failOn) ? exitCodes.agent : exitCodes.fine;
}

export async function changesBetween(old: SourcedCard, next: SourcedCard): Promise<readonly ReportedChange[]> {
  const comparison = compareCards(old.json, next.json);
  if (comparison.is === "unreadable") {
    const { from } = comparison.which === "old" ? old : next;
    throw new UsageError(
      `Cannot compare ${from}: ${escapeText(comparison.because)}`,
      "Correct the card first: assay card <agent or file> lists its errors.",
    );
  }
  const { changes } = comparison;
  const lost = changes.flatMap((change) => change.lost ?? []);
  if (lost.length === 0) return changes;
  const { profiles, strandedClients } = await import("@assay/suite/forecast");
  return changes.map((change) => {
    const clients = change.lost ? strandedClients(next.json, change.lost, profiles) : [];
    return clients.length ? { ...change, clients } : change;
  });
}

type Counts = Readonly<Record<ChangeEffect, number>>;

export function countsOf(changes: readonly ClientChange[]): Counts {
  const count = (effect: ChangeEffect): number => changes.filter((change) => change.effect === effect).length;
  return { breaking: count("breaking"), risky: count("risky"), compatible: count("compatible") };
}

export const isFailed = ({ breaking, risky }: Counts, failOn: CardDiffFlags["failOn"]): boolean =>
  (failOn !== "never" && breaking > 0) || (failOn === "risky" && risky > 0);

export const countsText = ({ breaking, risky, compatible }: Counts): string =>
  `${breaking} breaking, ${risky} risky, ${compatible} compatible`;

function show(changes: readonly ReportedChange[], counts: Counts, { line, colors }: Screen): void {
  if (changes.length === 0) {
    line(`${colors.green("✓")} The cards mean the same.`);
    return;
  }
  const paint = { breaking: colors.red, risky: colors.yellow, compatible: colors.dim };
  const sign = { breaking: "✗", risky: "!", compatible: "·" };
  for (const effect of changeEffects)
    for (const { path, message, affects, clients, code } of changes.filter((change) => change.effect === effect)) {
      line(`${paint[effect](`${sign[effect]} ${effect}`)}  ${escapeText(message)}${colors.dim(`  ${code}`)}`);
      line(`  ${colors.dim("at")} ${escapeText(path)}`);
      if (effect !== "compatible") line(`  ${colors.dim("affects")} ${escapeText(affects)}`);
      if (clients) line(`  ${colors.dim("measured")} ${escapeText(clients.join(", "))}`);
    }
  line();
  line(countsText(counts));
}
