/** The whole number at a place of a skill's argument, bounded; the fallback when there is none. */
export function numberAt(argument: string, index: number, fallback: number, most: number): number {
  const word = argument.split(/\s+/).filter(Boolean)[index] ?? "";
  return /^\d{1,12}$/.test(word) ? Math.min(Number(word), most) : fallback;
}
