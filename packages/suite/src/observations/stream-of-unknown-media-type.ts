import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";

/** A part of a media type that no agent reads, in a message that is streamed. */
export const streamOfUnknownMediaType = observation<Call>({
  name: "a stream for a part of an unknown media type",
  messages: 1,
  prompts: ["stream"],
  rank: 7,
  async make(target) {
    const parts = target.message("stream").parts.map((part) => ({ ...part, mediaType: "application/x-a2a-unknown" }));
    const live = await target.stream("stream", { parts });
    // Whether it is refused shows at once; what an agent makes of it otherwise is its own affair.
    await live.peek(target.taskTimeout);
    return live.rest(0);
  },
});
