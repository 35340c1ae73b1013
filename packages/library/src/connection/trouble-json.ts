import type { PeerTrouble } from "@assay/wire";

/** Returns a failed call as data, without its exchange. */
export function troubleJson(trouble: PeerTrouble): object {
  switch (trouble.is) {
    case "error":
      return { error: trouble.error };
    case "malformed":
      return { malformed: trouble.because };
    case "invalid":
      return { invalid: trouble.violations.map(({ path, code, message }) => ({ path, code, message })) };
    case "failure":
      return { failure: trouble.failure };
  }
}
