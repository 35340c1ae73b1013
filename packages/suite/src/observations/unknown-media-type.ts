import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";

/** A part of a media type that no agent reads. */
export const unknownMediaType = observation<Call>({
  name: "a part of an unknown media type",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make(target) {
    const { parts } = target.message("task");
    const mediaType = "application/x-a2a-unknown";
    // Before 1.0 only files had a type. The bytes are base64 once more, for servers that decode them twice.
    const isOlder = target.on.dialect !== "1.0";
    return target.send("task", {
      parts: isOlder ? [...parts, { raw: "WVhOellYaz0=", mediaType }] : parts.map((part) => ({ ...part, mediaType })),
    });
  },
});
