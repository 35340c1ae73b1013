import { isEnded, looseEvent } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";

/** Looks like the end of a frame, of a header and of a JSON text, and like the begin of new ones. */
const injection =
  '"}]}\r\nX-Assay-Injected: yes\r\n\r\ndata: {"assayInjected":true}\n\nevent: assay\n\u2028\u2029 \\" </script> OK';

/** A message whose text would break the frame of an answer that repeats it carelessly; as a stream, where there are any. */
export const frameLikeMessage = observation<Call>({
  name: "a message that looks like a frame",
  messages: 1,
  prompts: ["task", "stream"],
  rank: 7,
  async make(target) {
    const kind = target.facts.streaming ? "stream" : "task";
    const parts = target.say(injection, target.message(kind).parts);
    if (!target.facts.streaming) return target.send("task", { parts });
    const live = await target.stream("stream", { parts });
    await live.until((frame) => frame.is !== "result" || isEnded(looseEvent(frame)?.state), target.taskTimeout);
    return live.rest(target.quiet);
  },
});
