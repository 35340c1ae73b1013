import { observation } from "../observation.ts";
import type { Talk } from "../talk.ts";

/** A part of a media type that nobody reads. */
export const strangeMedia = observation<Talk>({
  name: "a part of an unknown media type",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make: (lab) =>
    lab.send("task", {
      parts: lab.message("task").parts.map((part) => ({ ...part, mediaType: "application/x-a2a-unknown" })),
    }),
});
