/** What the page of `assay ui` shares with the HTML report: one look, one way to mark a place, one set of words. */

export {
  cut,
  dateText,
  durationText,
  endingOf,
  examinedOf,
  type Fact,
  factsOf,
  findingsOf,
  interfaceText,
  plural,
  type ResultRow,
  reasons,
  rowsOf,
  safeLink,
  versionsOf,
  visible,
  visibleLines,
} from "@assay/suite/text";
export { har } from "../har.ts";
export { exchangeSides, type MarkedPlaces } from "../html/exchange.ts";
export { h, ours, preformatted, type SafeHtml } from "../safe-html.ts";
export { base } from "./base.ts";
export { exchanges } from "./exchanges.ts";
export { markedJson, type ShownLine } from "./marked-json.ts";
export { sentenceCase, sentenceParts } from "./sentence-parts.ts";
export { eventWords, type StreamEvent, streamEvents } from "./stream-events.ts";
export { type EventPlace, eventPlaces, streamEnd } from "./stream-places.ts";
export { palettes } from "./tokens.ts";
