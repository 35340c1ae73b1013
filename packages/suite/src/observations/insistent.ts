import type { JsonObject } from "@assay/protocol";
import { isInternal } from "../expect-error.ts";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { isAtRest, isEnded, type LooseTask, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { isAlive } from "./at-work.ts";
import { follow } from "./settled.ts";
import { slow } from "./slow.ts";

/** A client that is not content with one message. */
export interface Insistent {
  /** the task of the slow message */
  readonly first: LooseTask;
  /** the very same request once more, its messageId included */
  readonly again: Talk;
  /** a message to the task that this began or led back to; absent where there is none at work */
  readonly interjection: Interjection | undefined;
}

interface Interjection {
  readonly talk: Talk;
  /** milliseconds that it was unanswered after the task had ended; absent where that is not known */
  readonly overdue: number | undefined;
}

export const insistent = observation<Insistent>({
  name: "a message sent twice, and another to its task",
  messages: 2,
  prompts: ["slow", "followUp"],
  rank: 9,
  uses: [slow],
  async make(lab) {
    const { talk, task: first } = await lab.observe(slow);
    const again = await untilTwice(() => lab.call("SendMessage", talk.params ?? {}), lab);
    const task = taskIn(again);
    const interjection = task && !isAtRest(task.state) ? await interject(lab, task) : undefined;
    return { first, again, interjection };
  },
});

async function interject(lab: Lab, { id }: LooseTask): Promise<Interjection | undefined> {
  const ask = (): Promise<Talk> => {
    // A message of ours is JSON.
    const message = lab.message("followUp", { taskId: id }) as unknown as JsonObject;
    const params = { message, configuration: { returnImmediately: true } };
    return lab.call("SendMessage", params, { timeout: lab.taskTimeout + lab.grace });
  };
  // Both at a time, and awaited together: where one of them cannot be had, nobody is left waiting for the other.
  const [endedAt, { talk, answeredAt }] = await Promise.all([
    follow(lab, { id }).then(({ last }) => (isEnded(last?.state) ? lab.now() : undefined)),
    untilTwice(ask, lab, () => isAlive(lab, id)).then((answer) => ({ talk: answer, answeredAt: lab.now() })),
  ]);
  return { talk, overdue: endedAt === undefined ? undefined : answeredAt - endedAt };
}

/** A breakdown must happen twice to count; the second try is one that was kept back for that. */
async function untilTwice(ask: () => Promise<Talk>, lab: Lab, isWorthIt = async () => true): Promise<Talk> {
  const talk = await ask();
  if (!isInternal(talk)) return talk;
  await lab.sleep(100);
  return (await isWorthIt()) ? ask() : talk;
}
