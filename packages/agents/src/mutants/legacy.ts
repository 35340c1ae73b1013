import { isObject, type JsonObject } from "@assay/protocol";
import { spec } from "../definition/divergence.ts";
import { eachObject, events, inJson } from "../mutation/json.ts";
import { crashesOn } from "../mutation/requests.ts";

/** What 0.3 wrote, in the answers of 1.0. */
export const legacyMutants = [
  spec("LEG-001.kind", "Parts have kind, as in 0.3.", {
    codec: inJson((json) => eachObject(json, (object) => ("text" in object ? { kind: "text", ...object } : object))),
  }),

  spec("LEG-002.final", "Status updates have final, as in 0.3.", {
    codec: inJson((json, written) =>
      events((event) =>
        isObject(event["statusUpdate"])
          ? { statusUpdate: { ...(event["statusUpdate"] as JsonObject), final: false } }
          : event,
      )(json, written),
    ),
  }),

  spec("LEG-003.nested-file", "File parts have a nested file object, as in 0.3.", {
    codec: inJson((json) =>
      eachObject(json, ({ raw, filename, mediaType, ...part }) =>
        raw === undefined
          ? { ...part, ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) }
          : { ...part, file: { bytes: raw, ...(filename !== undefined && { name: filename }) } },
      ),
    ),
  }),

  spec("LEG-007.stumbles", "A message with kind, as in 0.3, gets an internal error.", {
    http: crashesOn((body) => body.includes('"kind":"message"')),
  }),
];
