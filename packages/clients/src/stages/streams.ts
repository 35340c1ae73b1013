import { artifact, changeStreamText, intercept, status } from "@assay/agents/making";
import type { StreamResponse } from "@assay/protocol";
import type { Stage } from "../stage.ts";
import { agentOf, doing, making, saying } from "./agents.ts";
import { answerOf } from "./answer-of.ts";
import { everySpelling } from "./odd-events.ts";

/** The first events of a stream; then it breaks, while its task goes on. */
async function* broken(events: AsyncIterable<StreamResponse>, after: number): AsyncGenerator<StreamResponse> {
  let told = 0;
  for await (const event of events) {
    yield event;
    told += 1;
    if (told < after) continue;
    // What was told has to be on its way before the connection goes.
    await new Promise((resolve) => setTimeout(resolve, 20));
    throw new Error("the connection is dropped on purpose");
  }
}

export const streamStages = {
  stream: { agent: (offered) => agentOf(offered, making(answerOf("stream"))) },
  "odd-events": {
    agent: (offered) =>
      agentOf(offered, making(answerOf("odd-events")), { layers: { http: changeStreamText(everySpelling()) } }),
  },
  chunks: {
    agent: (offered) =>
      agentOf(
        offered,
        doing(async function* () {
          yield status("working");
          yield artifact("first", "first: alpha");
          yield artifact("second", "second: one");
          yield artifact("first", "-beta", { append: true });
          yield artifact("second", "-two", { append: true });
          yield artifact("first", "-gamma", { append: true, last: true });
          yield artifact("second", "-three", { append: true, last: true });
          yield status("completed");
        }),
      ),
  },
  dropped: {
    agent: (offered) =>
      agentOf(
        offered,
        doing(async function* ({ clock, signal }) {
          yield status("working", "half of it is done");
          await clock.sleep(3_000, signal);
          yield artifact("word", answerOf("dropped"), { last: true });
          yield status("completed");
        }),
        {
          layers: {
            operations: intercept(["SendStreamingMessage"], async ({ proceed }) => {
              const { events } = await proceed();
              return { events: broken(events!, 2) };
            }),
          },
        },
      ),
  },
  "no-streaming": { agent: (offered) => agentOf(offered, saying("nothing is streamed"), { streaming: false }) },
} as const satisfies Record<string, Stage>;
