/** Returns a count with its noun: "1 rule", "3 rules". */
export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** Returns a duration for people: "840 ms", "6.1 s", "48 s", "3 min 12 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 100 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Returns an elapsed time: "00:31", "01:02:03". */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  return `${hours ? `${two(hours)}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Joins words: "a", "a and b", "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Returns "3.3.2, 5.4" as "§3.3.2, §5.4". The name of a page without sections stays unchanged. */
export const sections = (section: string): string =>
  section
    .split(/,\s*/)
    .map((one) => (/^\d/.test(one) ? `§${one}` : one))
    .join(", ");
