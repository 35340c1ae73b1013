/**
 * Returns true if a text matches a pattern with `*`, ignoring case. It matches piece by piece from the left, because a
 * regular expression with many stars gets slow.
 */
export function fitsGlob(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const whole = text.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first) || whole.length < first.length + last.length || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = whole.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= whole.length - last.length;
}
