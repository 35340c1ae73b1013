import { isObject, type JsonObject } from "@assay/protocol";
import { mutant } from "../mutant.ts";
import { eachObject, events, inJson } from "../mutation/json.ts";
import { crashesOn } from "../mutation/requests.ts";

/** What 0.3 wrote, in the answers of 1.0. */
export const legacyMutants = [
  mutant("LEG-001.kind", "spec", "Says of every part what kind of part it is, as 0.3 did.", {
    codec: inJson((json) => eachObject(json, (object) => ("text" in object ? { kind: "text", ...object } : object))),
  }),

  mutant("LEG-002.final", "spec", "Says in every status update whether it is the last.", {
    codec: inJson((json, written) =>
      events((event) =>
        isObject(event["statusUpdate"])
          ? { statusUpdate: { ...(event["statusUpdate"] as JsonObject), final: false } }
          : event,
      )(json, written),
    ),
  }),

  mutant("LEG-003.nested-file", "spec", "Puts the bytes of a file into a nested object, as 0.3 did.", {
    codec: inJson((json) =>
      eachObject(json, ({ raw, filename, mediaType, ...part }) =>
        raw === undefined
          ? { ...part, ...(filename !== undefined && { filename }), ...(mediaType !== undefined && { mediaType }) }
          : { ...part, file: { bytes: raw, ...(filename !== undefined && { name: filename }) } },
      ),
    ),
  }),

  mutant("LEG-007.stumbles", "spec", "Breaks down over a message that says what kind of object it is.", {
    http: crashesOn((body) => body.includes('"kind":"message"')),
  }),
];
