/** Who has what, counted: the commonest first, then by name. */
export interface TallyRow<T> {
  readonly key: string;
  readonly members: readonly T[];
}

export function tally<T>(members: Iterable<T>, keysOf: (member: T) => readonly string[]): TallyRow<T>[] {
  const rows = new Map<string, T[]>();
  for (const member of members)
    for (const key of keysOf(member)) {
      const known = rows.get(key);
      if (known) known.push(member);
      else rows.set(key, [member]);
    }
  return [...rows]
    .map(([key, found]) => ({ key, members: found }))
    .toSorted((a, b) => b.members.length - a.members.length || (a.key < b.key ? -1 : 1));
}

/** The same as numbers. */
export const counted = <T>(rows: readonly TallyRow<T>[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ key, members }) => [key, members.length]));
