import type { JsonObject } from "@assay/protocol";
import { reanswer } from "../bending/http.ts";
import { eachMember } from "../bending/json.ts";
import { variant } from "../mutant.ts";

const validators = ["ETag", "Last-Modified", "Cache-Control"];

/** Cards that say it in another way. */
export const cardVariants = [
  // AMB-48: transition aids of 0.3 are harmless where they agree with the rest; Python adds them.
  variant("legacy-card", "spec", "The card has members of 0.3 and some that nobody knows.", {
    card: (card) => {
      const [first] = card["supportedInterfaces"] as JsonObject[];
      return {
        ...card,
        url: first!["url"]!,
        preferredTransport: "JSONRPC",
        protocolVersion: "0.3.0",
        "x-tier": "gold",
      };
    },
  }),

  // AMB-21 shows the list of scopes, empty as it is; ProtoJSON printers drop it (A32), and so does the base.
  variant("listed-scopes", "secure", "Security requirements list their scopes, though there are none.", {
    card: (card) =>
      eachMember(card, "schemes", (schemes) =>
        Object.fromEntries(Object.keys(schemes as JsonObject).map((name) => [name, { list: [] }])),
      ) as JsonObject,
  }),

  // A38: Python 1.1.0 sends neither validators nor Cache-Control.
  variant("uncached-card", "spec", "The card comes without anything a cache could use.", {
    http: reanswer((answer) => {
      const headers = Object.entries(answer.headers).filter(([name]) => !validators.includes(name));
      return { ...answer, headers: Object.fromEntries(headers) };
    }),
  }),

  // DATA-033: readers of ProtoJSON take null for absent.
  variant("null-members", "spec", "The card has null where it has nothing to say.", {
    card: (card) => ({ ...card, documentationUrl: null, iconUrl: null }),
  }),
];
