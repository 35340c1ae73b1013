import { type Contestant, launch } from "./contestant.ts";
import { inTurns, ratiosOf } from "./interleave.ts";
import { progress, report } from "./results/report.ts";
import { type Cell, cellOf } from "./results/rows.ts";
import type { Playing, Row } from "./server-rows.ts";

/** Servers of a comparison by name, each with its script. The others are compared with the last one. */
export type Servers = Readonly<Record<string, { readonly script: string; readonly isOurs?: boolean }>>;

export interface Effort {
  /** Number of starts of each server. Two processes are never compiled alike, so one start is not enough. */
  readonly starts: number;
  readonly rounds: number;
  readonly sliceMs: number;
}

interface Measured {
  readonly value: number;
  /** milliseconds of the server's processor per request, stream or call */
  readonly cpu: number;
}

/** The values of each server, by start, server and round. */
type Starts = Measured[][][];

/** Measures the rows on the servers, and prints a table of the values and one of the ratios. */
export async function compare(title: string, servers: Servers, rows: readonly Row[], effort: Effort): Promise<void> {
  if (rows.length === 0) return;
  const measured = await sideBySide(servers, rows, effort);
  const names = Object.keys(servers);
  const last = names.at(-1)!;
  report(
    title,
    rows.flatMap((row) => names.map((column, at) => valueCell(row, column, measured.get(row)!, at, servers))),
  );
  report(
    `${title}, ratio to ${last}`,
    rows.flatMap((row) =>
      names.slice(0, -1).flatMap((column, at) => ratioCells(row, column, measured.get(row)!, at, servers)),
    ),
  );
}

function valueCell(
  { title: name, unit, more }: Row,
  column: string,
  starts: Starts,
  at: number,
  servers: Servers,
): Cell {
  const better = !servers[column]!.isOurs ? "neither" : more ? "higher" : "lower";
  const values = starts.flatMap((ofStart) => ofStart[at]!.map(({ value }) => value));
  return cellOf({ name, column, unit, better }, values);
}

function ratioCells({ title: name, more }: Row, column: string, starts: Starts, at: number, servers: Servers): Cell[] {
  const about = { name, unit: "ratio", better: servers[column]!.isOurs ? "higher" : "neither" } as const;
  const ratios = (of: keyof Measured, isMore: boolean): number[] =>
    starts.flatMap((ofStart) => {
      const [own, last] = [ofStart[at]!, ofStart.at(-1)!].map((turns) => turns.map((turn) => turn[of]));
      return ratiosOf(own!, last!, isMore);
    });
  return [
    cellOf({ ...about, column }, ratios("value", more)),
    cellOf({ ...about, column: `${column}, processor` }, ratios("cpu", false)),
  ];
}

async function sideBySide(servers: Servers, rows: readonly Row[], effort: Effort): Promise<Map<Row, Starts>> {
  const { starts, rounds, sliceMs } = effort;
  const measured = new Map(rows.map((row): [Row, Starts] => [row, []]));
  for (let start = 1; start <= starts; start++) {
    const contestants: Contestant[] = [];
    for (const { script } of Object.values(servers)) contestants.push(await launch(script));
    for (const row of rows) {
      progress(`${row.title}, start ${start} of ${starts}`);
      const playing: (Playing & { contestant: Contestant })[] = [];
      for (const contestant of contestants) playing.push({ ...(await row.prepare(contestant)), contestant });
      // The first row compiles most of a server, so it warms up longer.
      const warmUpMs = (row.warmUpSlices ?? (row === rows[0] ? 6 : 2)) * sliceMs;
      const turns = await inTurns(playing, { rounds, warmUpMs }, async ({ play, contestant }) => {
        const before = await contestant.cpu();
        const { value, units } = await play(sliceMs);
        return { value, cpu: ((await contestant.cpu()) - before) / units };
      });
      measured.get(row)!.push(turns);
      for (const each of playing) each.done?.();
    }
    for (const contestant of contestants) await contestant.stop();
  }
  return measured;
}
