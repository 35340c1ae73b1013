let moment = Number.NaN;
let written = "";

/** Formats a time as the protocol does. Many events share a millisecond, so the last text is cached. */
export function timestampOf(ms: number): string {
  if (ms !== moment) {
    moment = ms;
    written = new Date(ms).toISOString();
  }
  return written;
}
