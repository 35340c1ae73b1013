import { observation } from "../observation.ts";
import type { Talk } from "../talk.ts";

/** A part of a media type that nobody reads, in a message that is streamed. */
export const strangeStream = observation<Talk>({
  name: "a stream for a part of an unknown media type",
  messages: 1,
  prompts: ["stream"],
  rank: 7,
  async make(lab) {
    const parts = lab.message("stream").parts.map((part) => ({ ...part, mediaType: "application/x-a2a-unknown" }));
    const live = await lab.stream("stream", { parts });
    // Whether it is refused shows at once; what an agent makes of it otherwise is its own affair.
    await live.peek(lab.taskTimeout);
    return live.rest(0);
  },
});
