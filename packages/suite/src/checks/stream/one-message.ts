import { shown } from "../../answers/reading.ts";
import { assertNotCut } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { directStream } from "../../observations/direct-stream.ts";

export const oneMessage = activeCheck({
  id: "STREAM-002",
  title: "a stream that answers with a message holds that message alone, and closes",
  remedy: "Send one event with message and close the stream; for anything that goes on, open it with a Task.",
  // A direct answer may come of its own accord; the observation says so where none did.
  requires: ["streaming"],
  uses: { directStream },
  judge({ directStream: { call, events, closed } }) {
    const want = "one event with message, and then the end of the stream";
    if (events.length > 1) {
      return broken("more events follow the message that a stream opens with", {
        ...shown(events[1]?.json),
        want,
        at: call,
      });
    }
    assertNotCut(call);
    if (!closed)
      return broken("a stream stays open behind its message", { saw: "no end of the stream", want, at: call });
    return holds();
  },
});
