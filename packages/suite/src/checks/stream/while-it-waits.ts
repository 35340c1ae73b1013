import { brief } from "../../answers/reading.ts";
import { assertNotCut, wholeEvents } from "../../answers/whole-stream.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, holds, notApplicable } from "../../define/finding.ts";
import { taskAskingBack } from "../../observations/list-pages.ts";

export const hearsTheQuestion = activeCheck({
  id: "STREAM-023",
  title: "a stream tells that the agent waits for the user, and closes",
  remedy: "Send the statusUpdate with TASK_STATE_INPUT_REQUIRED before you close the stream, and close it then.",
  uses: { taskAskingBack },
  judge({ taskAskingBack: { stream, task } }) {
    if (!stream) return notApplicable("the card does not claim streaming");
    const { closed, call } = stream;
    const events = wholeEvents(call);
    const want = "the event with TASK_STATE_INPUT_REQUIRED, and the end of the stream";
    if (!events.some(({ state }) => state === task.state)) {
      return broken("a stream closes without having told that the agent waits for the user", {
        saw: `the last event is ${brief(events.at(-1)?.json)}`,
        want,
        at: call,
      });
    }
    if (closed) return holds();
    assertNotCut(call);
    return breach("open-while-waiting", "the stream stays open while the agent waits for the user", { want, at: call });
  },
});
