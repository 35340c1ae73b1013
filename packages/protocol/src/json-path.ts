/** One step of a path as in `$.parts[0]`: `.parts`, `[0]`, or `["with blank"]`. */
export function stepOf(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
