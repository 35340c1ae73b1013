/** The start of a line that names an error: `TypeError: …`, `httpx.ConnectError: …`, `Exception in thread "main" …`. */
const namesError = /^[\w.$]*(?:Error|Exception)\b/;

/**
 * Returns the line of stderr that names the error, or the last line. Node prints the stack and its own version below
 * the error.
 */
export function errorLine(errors: string): string {
  const lines = errors.split("\n").map((line) => line.trimEnd());
  return (lines.findLast((line) => namesError.test(line)) ?? lines.findLast((line) => line !== "") ?? "").trim();
}
