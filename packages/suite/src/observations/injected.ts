import { observation } from "../observation.ts";
import { isEnded, looseEvent } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** Looks like the end of a frame, of a header and of a JSON text, and like the begin of new ones. */
const injection =
  '"}]}\r\nX-Assay-Injected: yes\r\n\r\ndata: {"assayInjected":true}\n\nevent: assay\n\u2028\u2029 \\" </script> OK';

/** A message whose text would break the frame of an answer that repeats it carelessly; as a stream, where there are any. */
export const injected = observation<Talk>({
  name: "a message that looks like a frame",
  messages: 1,
  prompts: ["task", "stream"],
  rank: 7,
  async make(lab) {
    const kind = lab.facts.streaming ? "stream" : "task";
    const text = `${lab
      .message(kind)
      .parts.map((part) => part.text ?? "")
      .join(" ")} ${injection}`;
    if (!lab.facts.streaming) return lab.send("task", { parts: [{ text }] });
    const live = await lab.stream("stream", { parts: [{ text }] });
    await live.until((frame) => frame.is !== "result" || isEnded(looseEvent(frame)?.state), lab.taskTimeout);
    return live.rest(lab.quiet);
  },
});
