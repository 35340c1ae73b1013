let moment = Number.NaN;
let written = "";

/** A moment as the protocol writes it. Much happens within one millisecond, so the last text is kept. */
export function timestampOf(ms: number): string {
  if (ms !== moment) {
    moment = ms;
    written = new Date(ms).toISOString();
  }
  return written;
}
