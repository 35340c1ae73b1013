export { type MarkedPlaces, exchangeSides } from "../html/exchange.ts";
export { h, ours, preformatted, type SafeHtml } from "../safe-html.ts";
export { durationText, plural } from "../words.ts";
export { base } from "./base.ts";
export { exchanges } from "./exchanges.ts";
