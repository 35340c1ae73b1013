import type { Exchange } from "@assay/wire";
import { observation } from "../define/observation.ts";
import { cardWithoutLoginName } from "../report/events.ts";

/** The card, asked for as a caller without credentials. */
export const cardWithoutLogin = observation<Exchange>({
  name: cardWithoutLoginName,
  messages: 0,
  aside: true,
  make: (target) =>
    (target.as("anonymous") ?? target).fetch({ method: "GET", url: target.facts.cardUrl, followRedirects: 3 }),
});
