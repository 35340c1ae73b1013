import { type AgentDefinition, artifact, eachObject, intercept, status } from "@assay/agents/making";
import { A2AError, type StreamResponse } from "@assay/protocol";
import type { Stage } from "../stage.ts";
import { answerOf, by, doing, habits } from "./agents.ts";
import { broken } from "./streams.ts";

const counting: Partial<AgentDefinition> = { habits: { ...habits, generation: true }, later: ["1.1"] };

const booking = doing(async function* ({ task }) {
  if (!task) return yield status("input-required", "For how many?");
  yield status("working");
  yield artifact("booking", answerOf("generation"), { last: true });
  yield status("completed");
});

/** Takes a moment after the first two events, where the connection drops. */
const inTwoParts = doing(async function* ({ clock, signal }) {
  yield status("working", "half of it is done");
  yield artifact("draft", "not yet");
  await clock.sleep(3_000, signal);
  yield artifact("draft", answerOf("generation-dropped"), { last: true });
  yield status("completed");
});

/** Drops the connection of the first stream after some events. */
const dropping = (change: (event: StreamResponse) => StreamResponse = (event) => event): Partial<AgentDefinition> => ({
  ...counting,
  layers: {
    operations: intercept(["SendStreamingMessage"], async ({ proceed }) => {
      const { events } = await proceed();
      return { events: broken(changed(events!, change), 3) };
    }),
  },
});

async function* changed(
  events: AsyncIterable<StreamResponse>,
  change: (event: StreamResponse) => StreamResponse | undefined,
): AsyncGenerator<StreamResponse> {
  for await (const event of events) {
    const told = change(event);
    if (told) yield told;
  }
}

/** Gives an artifact update the generation of the status update before it. */
const repeated = (event: StreamResponse): StreamResponse =>
  event.artifactUpdate ? { artifactUpdate: { ...event.artifactUpdate, generation: "2" } } : event;

/** Situations about the generation of tasks, in the draft of 1.1. */
export const generationStages = {
  generation: by(booking, counting),
  "generation-mismatch": by(booking, () => {
    let isChanged = false;
    return {
      ...counting,
      layers: {
        operations: intercept(["SendMessage", "SendStreamingMessage"], async ({ request, proceed }) => {
          if (isChanged || request.configuration?.ifGenerationMatch === undefined) return proceed();
          isChanged = true;
          throw new A2AError("TaskGenerationMismatch", "The task has changed since you read it");
        }),
      },
    };
  }),
  "generation-zero": by(booking, {
    ...counting,
    layers: {
      codec: (json) =>
        eachObject(json, (object) => (object["generation"] === undefined ? object : { ...object, generation: "0" })),
      operations: intercept(["SendMessage", "SendStreamingMessage"], ({ request, proceed }) => {
        const { ifGenerationMatch: _ignored, ...configuration } = request.configuration ?? {};
        return proceed({ ...request, configuration });
      }),
    },
  }),
  "generation-gap": by(
    doing(async function* () {
      yield status("working");
      yield artifact("word", answerOf("generation-gap"), { last: true });
      yield status("completed");
    }),
    {
      ...counting,
      layers: {
        operations: intercept(["SendStreamingMessage"], async ({ proceed }) => {
          const { events } = await proceed();
          return { events: changed(events!, (event) => (event.artifactUpdate ? undefined : event)) };
        }),
      },
    },
  ),
  "generation-dropped": by(inTwoParts, dropping()),
  "generation-repeated": by(inTwoParts, dropping(repeated)),
} as const satisfies Record<string, Stage>;
