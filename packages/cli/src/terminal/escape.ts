/**
 * Agent text made safe to print: control characters (which move the cursor, change colours, set titles) and
 * bidirectional overrides (which make text read differently from what it is) are shown as escapes. What build servers
 * take for a command of theirs is broken up: GitHub reads `::` where a line begins, it and Azure `##[` and `##vso[`
 * anywhere.
 */
export const escapeText = (text: string): string =>
  text
    .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/g, (char) => {
      const named: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
      return named[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    })
    .replace(/^\s*::/, "\\$&")
    .replace(/#(?=#[a-z]*\[)/gi, "#\\");

/** One line of agent text, cut to a width that leaves the line readable. */
export function brief(text: string, width = 60): string {
  const safe = escapeText(text);
  return safe.length <= width ? safe : `${safe.slice(0, width - 1)}…`;
}
