import { isObject, type JsonObject } from "@assay/protocol";
import { mutant } from "../definition/divergence.ts";
import { eachObject, events, inJson } from "../mutation/json.ts";
import { crashesOn } from "../mutation/requests.ts";

/** What 0.3 wrote, in the answers of 1.0. */
export const legacyMutants = [
  mutant("LEG-001.kind", "spec", "Parts have kind, as in 0.3.", {
    codec: inJson((json) => eachObject(json, (object) => ("text" in object ? { kind: "text", ...object } : object))),
  }),

  mutant("LEG-002.final", "spec", "Status updates have final, as in 0.3.", {
    codec: inJson((json, written) =>
      events((event) =>
        isObject(event["statusUpdate"])
          ? { statusUpdate: { ...(event["statusUpdate"] as JsonObject), final: false } }
          : event,
      )(json, written),
    ),
  }),

  mutant("LEG-003.nested-file", "spec", "File parts have a nested file object, as in 0.3.", {
    codec: inJson((json) =>
      eachObject(json, ({ raw, filename, mediaType, ...part }) =>
        raw === undefined
          ? { ...part, ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) }
          : { ...part, file: { bytes: raw, ...(filename !== undefined && { name: filename }) } },
      ),
    ),
  }),

  mutant("LEG-007.stumbles", "spec", "A message with kind, as in 0.3, gets an internal error.", {
    http: crashesOn((body) => body.includes('"kind":"message"')),
  }),
];
