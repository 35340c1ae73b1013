/** A run in words, and safe text from others for every format. Plain text: each format escapes it. */

export {
  code,
  cut,
  escapeText,
  jsonText,
  markup,
  markupLines,
  prose,
  visible,
  visibleLines,
} from "@assay/protocol/escape";
export { endTexts, placeText } from "./compared.ts";
export { httpArchive } from "./http-archive.ts";
export {
  brokenText,
  countsOf,
  dateText,
  durationText,
  endingOf,
  examinedOf,
  expectedOf,
  type Fact,
  factsOf,
  findingsOf,
  interfaceText,
  plural,
  type ResultRow,
  reasons,
  resultCounts,
  rowsOf,
  safeLink,
  sdkOf,
  versionsOf,
  warnedText,
} from "./words.ts";
